export { completeFilter, type Completion } from './complete';
export { evaluate } from './evaluate';
export { checkFilter, parseFilter, type Filter, type FilterColumn } from './parse';
export { FilterError } from './tokens';
