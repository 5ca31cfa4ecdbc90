/**
 * Between the page and the local proxy. A browser's `fetch` reaches its own origin only, so that the address and what the
 * server answered travel under private names; cookies have theirs in `gym/transport`.
 */
export const PROXY_PATH = 'api/proxy';
export const TOKEN_HEADER = 'x-rollscope-token';
/** Where to: an http or https address. */
export const URL_HEADER = 'x-rollscope-url';
/** The answer's headers, as JSON pairs: some would act on the page's own origin if they came as they are. */
export const HEADERS_HEADER = 'x-rollscope-headers';
/** Present where the proxy itself says why there is no answer. */
export const FAILED_HEADER = 'x-rollscope-failed';
