export { CodeBlock } from './CodeBlock';
export { hidesSomething, runsOf, type Run } from './invisible';
export { Markdown } from './Markdown';
export { PlainText } from './PlainText';
