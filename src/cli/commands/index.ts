import type { Command } from '../command';
import { check } from './check';
import { gym } from './gym';
import { serve } from './serve';
import { show } from './show';
import { summary } from './summary';

export { serve } from './serve';

/** What `rollscope` can do, one line each. Without the name of a command it serves. */
export const commands: readonly Command[] = [serve, summary, show, gym, check];
