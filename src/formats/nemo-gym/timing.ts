import { at, numberAt, type Timing } from '../../model';

/** Of a model call or a tool call, under the names that the writers of a run give to its times. */
export function timingOf(call: unknown): Timing | undefined {
  const startedAt = numberAt(call, 'started_at');
  const completedAt = numberAt(call, 'completed_at');
  const measured =
    numberAt(call, 'latency_ms') ?? numberAt(call, 'latency_total_ms') ?? numberAt(call, 'duration_ms');
  const between =
    startedAt === undefined || completedAt === undefined ? undefined : (completedAt - startedAt) * 1000;
  const durationMs = measured ?? between;
  const firstTokenMs =
    numberAt(call, 'latency_ttft_ms') ?? numberAt(at(call, 'response_metadata'), 'latency_ttft_ms');
  if (startedAt === undefined && durationMs === undefined && firstTokenMs === undefined) return undefined;
  return {
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
  };
}
