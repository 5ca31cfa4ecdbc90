/** Failures of a request, in the shapes that a FastAPI server answers with. */
import type { Issues } from './environment';

/** A request that cannot be served, with the status and the `detail` of the answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly detail: string | readonly ValidationDetail[];

  constructor(status: number, detail: string | readonly ValidationDetail[]) {
    super(typeof detail === 'string' ? detail : detail.map((one) => one.msg).join('; '));
    this.status = status;
    this.detail = detail;
  }
}

export interface ValidationDetail {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** `{"detail": [{"type": "missing", "loc": ["body", "count"], "msg": "Field required"}]}` */
export function validationDetails(issues: Issues): ValidationDetail[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map((step) =>
      typeof step.key === 'number' ? step.key : String(step.key),
    );
    const missing = issue.received === 'undefined' && issue.kind === 'schema' && path.length > 0;
    if (missing) return { type: 'missing', loc: ['body', ...path], msg: 'Field required' };
    return { type: TYPES[issue.type] ?? 'value_error', loc: ['body', ...path], msg: wording(issue) };
  });
}

/** Names of pydantic's errors for what valibot calls by its schemas and actions. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  string: 'string_type',
  number: 'int_type',
  integer: 'int_from_float',
  safe_integer: 'int_from_float',
  finite: 'finite_number',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'model_attributes_type',
  loose_object: 'model_attributes_type',
  strict_object: 'model_attributes_type',
  record: 'dict_type',
  picklist: 'literal_error',
  min_value: 'greater_than_equal',
  max_length: 'too_long',
};

const WORDING: Readonly<Record<string, string | undefined>> = {
  string_type: 'Input should be a valid string',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part or out of range',
  bool_type: 'Input should be a valid boolean',
  list_type: 'Input should be a valid list',
  dict_type: 'Input should be a valid dictionary',
  model_attributes_type: 'Input should be a valid dictionary or object to extract fields from',
};

function wording(issue: Issues[number]): string {
  const type = TYPES[issue.type];
  return (type === undefined ? undefined : WORDING[type]) ?? issue.message;
}
