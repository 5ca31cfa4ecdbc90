/**
 * The page's Content-Security-Policy, for the server's header and for the meta tag of the build. Everything comes
 * from the page's own origin; WASM may run, inline styles may stand, and nothing may be sent elsewhere.
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

export const contentSecurityPolicy = policy(Object.entries(directives));

/** Browsers ignore `frame-ancestors` in a meta tag, and complain about it. */
export const contentSecurityPolicyForMeta = policy(
  Object.entries(directives).filter(([name]) => name !== 'frame-ancestors'),
);

function policy(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, sources]) => `${name} ${sources}`).join('; ');
}
