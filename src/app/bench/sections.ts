import type { Section } from './section';
import { reading } from './sections/reading';
import { table } from './sections/table';
import { whole } from './sections/whole';

/** In the order they run. */
export const sections: readonly Section[] = [reading, whole, table];
