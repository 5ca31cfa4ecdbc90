import { longEpisodes } from '../episode/bench/long';
import { tokens } from '../inspector/tokens/bench/tokens';
import type { Section } from './section';
import { loop } from './sections/loop';
import { reading } from './sections/reading';
import { environments } from './sections/environments';
import { table } from './sections/table';
import { whole } from './sections/whole';

/** In the order they run. */
export const sections: readonly Section[] = [reading, whole, table, longEpisodes, tokens, environments, loop];
