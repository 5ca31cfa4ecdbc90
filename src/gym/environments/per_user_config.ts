import { errorText } from '../error-text';
/** The configuration of the per-user workflow, and reading it from the YAML that the toolkit uses. */
import * as v from 'valibot';
import { isObject } from '../json';

const seconds = v.pipe(v.number(), v.gtValue(0));

const PerUserConfig = v.object({
  /** Seconds until an inactive user is removed, and between two looks. */
  per_user_workflow_timeout: v.optional(seconds, 1800),
  per_user_workflow_cleanup_interval: v.optional(seconds, 300),
  max_notes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 50),
  default_preferences: v.optional(v.record(v.string(), v.string()), () => ({
    theme: 'dark',
    language: 'en',
    notifications: 'enabled',
  })),
});
export type PerUserConfig = v.InferOutput<typeof PerUserConfig>;

export const DEFAULT_PER_USER_CONFIG: PerUserConfig = v.parse(PerUserConfig, {});

/**
 * Takes the four settings from wherever they stand: the timeouts under `general`, the others under the functions they configure.
 * Everything else in the file is the toolkit's own and is left alone.
 */
export async function readPerUserConfig(yaml: string): Promise<PerUserConfig> {
  const { parse } = await import('yaml');
  let file: unknown;
  try {
    file = parse(yaml);
  } catch (error) {
    throw new Error(`The configuration is not YAML: ${errorText(error)}`, { cause: error });
  }
  const found: Record<string, unknown> = {};
  collect(file, new Set(Object.keys(PerUserConfig.entries)), found, 4);
  const read = v.safeParse(PerUserConfig, found);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new Error(`In the configuration, ${v.getDotPath(issue) ?? 'a setting'}: ${issue.message}`);
}

function collect(
  value: unknown,
  wanted: ReadonlySet<string>,
  found: Record<string, unknown>,
  depth: number,
): void {
  if (!isObject(value) || depth === 0) return;
  for (const [key, child] of Object.entries(value)) {
    if (wanted.has(key)) found[key] = child;
    else collect(child, wanted, found, depth - 1);
  }
}
