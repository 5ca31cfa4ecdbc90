export { AsItIs } from './AsItIs';
export { hidesSomething, runsOf, type Run } from './invisible';
export { MarkdownText } from './MarkdownText';
export { Name } from './Name';
export { PlainText } from './PlainText';
export { spelled } from './spelled';
