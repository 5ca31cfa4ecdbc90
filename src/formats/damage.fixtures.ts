/** Ways to damage a record. */

/** Every value inside a value, as the function that puts another in its place. */
export function placesOf(value: unknown): ((replacement: unknown) => void)[] {
  const places: ((replacement: unknown) => void)[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, child] of Object.entries(next)) {
      open.push(child);
      places.push((replacement) => {
        Object.defineProperty(next, key, { value: replacement, enumerable: true, writable: true });
      });
    }
  }
  return places;
}

export function replaceOne(value: unknown, place: number, replacement: unknown): void {
  const places = placesOf(value);
  places[place % Math.max(places.length, 1)]?.(replacement);
}

export function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { deeper: value };
  return value;
}

/** Ends an open string and closes what is open, as far as that gives JSON. */
export function closed(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '{') open.push('}');
    else if (!inString && char === '[') open.push(']');
    else if (!inString && (char === '}' || char === ']')) open.pop();
  }
  const cut = inString ? `${text}"` : text.replace(/,$/, '');
  return cut + open.reverse().join('');
}
