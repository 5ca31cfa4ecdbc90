import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { spansFrom, type CodeSpan } from './spans';

/** Loaded on first use only: import it through `useHighlighted`. */

hljs.registerLanguage('bash', bash);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('typescript', typescript);

/** The code's spans, or undefined where the language is not one of ours. */
export function highlight(code: string, language: string): CodeSpan[] | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined;
  return spansFrom(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
