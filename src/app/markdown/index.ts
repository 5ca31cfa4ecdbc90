export { AsItIs } from './AsItIs';
export { hidesSomething, runsOf, type Run } from './invisible';
export { MarkdownText } from './MarkdownText';
export { PlainText } from './PlainText';
