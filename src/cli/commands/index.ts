import type { Command } from '../command';
import { check } from './check';
import { convert } from './convert';
import { gym } from './gym';
import { lint } from './lint';
import { replay } from './replay';
import { run } from './run';
import { samples } from './samples';
import { serve } from './serve';
import { show } from './show';
import { summary } from './summary';

export { serve } from './serve';

/** What `rollscope` can do, one line each. Without the name of a command it serves. */
export const commands: readonly Command[] = [
  serve,
  summary,
  show,
  lint,
  samples,
  convert,
  gym,
  check,
  run,
  replay,
];
