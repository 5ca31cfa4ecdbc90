import type { Format } from '../formats';

/** The format that takes anything that is JSON: where it wins, nothing is known about the data. */
export const fallbackId = 'json';

export interface Claim {
  format: Format;
  confidence: number;
}

/** The surest format; on equal confidence the earlier one. Undefined where none claims the value. */
export function surest(formats: readonly Format[], value: unknown): Claim | undefined {
  let best: Claim | undefined;
  for (const format of formats) {
    const confidence = format.confidence(value);
    if (confidence > (best?.confidence ?? 0)) best = { format, confidence };
  }
  return best;
}

/** Of the claims on a source's first records the surest; the earlier one where they are equally sure. */
export function surestClaim(claims: readonly Claim[]): Claim | undefined {
  let best: Claim | undefined;
  for (const claim of claims) if (claim.confidence > (best?.confidence ?? 0)) best = claim;
  return best;
}

/** Two records that agree settle the format of a source, unless all they agree on is that they are JSON. */
export function settled(claims: readonly (Claim | undefined)[]): boolean {
  const [first] = claims;
  if (claims.length < 2 || first === undefined || first.format.id === fallbackId) return false;
  return claims.every((claim) => claim?.format === first.format);
}

/** An array is one record where a format claims the whole of it: a list of events, a bare chat. */
export function claimsWhole(formats: readonly Format[], elements: readonly unknown[]): boolean {
  const claim = surest(formats, elements);
  return claim !== undefined && claim.format.id !== fallbackId;
}
