const agent = { name: 'helper', version: '1.0', model_name: 'model-s' };

export function trajectory(steps: readonly object[], more: object = {}): object {
  return {
    schema_version: 'ATIF-v1.7',
    session_id: 'session-1',
    agent,
    steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
    ...more,
  };
}
