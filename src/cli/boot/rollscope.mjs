#!/usr/bin/env node
import { script } from './project.mjs';
import { rollscope } from './command-line.mjs';

await script(() => rollscope(process.argv.slice(2)));
