import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';

/** What each layer may import of the others. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  formats: ['model'],
  ingest: ['model', 'formats'],
  tokens: [],
  agent: ['model', 'tokens'],
  gym: ['tokens'],
  live: ['model', 'tokens', 'agent', 'gym', 'formats'],
  cli: ['model', 'formats', 'ingest', 'tokens', 'agent', 'gym', 'live'],
  app: ['model', 'formats', 'ingest', 'tokens', 'agent', 'gym', 'live'],
};

const src = dirname(fileURLToPath(import.meta.url));
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(src, '../package.json'), 'utf8'),
);

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.split(sep).join('/'));

test('every folder of src is a layer with a README', () => {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(mayImport).sort());
  expect(Object.keys(mayImport).filter((layer) => !existsSync(join(src, layer, 'README.md')))).toEqual([]);
});

test('no source stands outside a layer', () => {
  expect(files.filter((file) => !file.includes('/'))).toEqual(['layers.test.ts']);
});

describe.each(Object.keys(mayImport))('%s', (layer) => {
  test('imports only what its layer may', () => {
    const own = files.filter((file) => file.startsWith(`${layer}/`));
    const faults = own.flatMap((file) => faultsIn(file, readFileSync(join(src, file), 'utf8')));
    expect(faults).toEqual([]);
  });
});

test.each([
  ['model/view.ts', `import { render } from '../app/render';`],
  ['formats/verl.ts', `export * from '../ingest/reader';`],
  ['gym/server.ts', `const model = await import('../model');`],
  ['agent/loop.ts', `type Run = import('../live').Run;`],
  ['formats/verl.ts', `new Worker(new URL('../ingest/worker.ts', import.meta.url));`],
  ['app/panel.tsx', `import type { Io } from '../cli/io'; const panel = <p>text</p>;`],
  ['ingest/read.ts', `import data from '../../package.json';`],
  ['model/view.ts', `import { Hono } from 'hono';`],
  ['model/view.test.ts', `import { Hono } from 'hono';`],
  ['app/panel.tsx', `import { test } from 'vitest';`],
  ['ingest/read.ts', `import { readFile } from 'node:fs/promises';`],
  ['model/node-view.ts', `import { readFile } from 'node:fs/promises';`],
  ['ingest/read.ts', `import { rollout } from './rollout.fixtures';`],
])('finds the fault of %s: %s', (file, text) => {
  const specifier = /'([^']+)'/.exec(text)?.[1] ?? '';
  expect(faultsIn(file, text)).toEqual([expect.stringContaining(specifier)]);
  expect(faultsIn(file, text)[0]).toContain(file);
});

test.each([
  ['model/lint/rule.ts', `import type { Episode } from '../episode';`],
  ['model/view.test.ts', `import fc from 'fast-check'; import { readFile } from 'node:fs/promises';`],
  ['formats/corpus.test.ts', `const folder = new URL('../../../shared/corpus', import.meta.url);`],
  ['gym/server.ts', `import { Hono } from 'hono'; import { cors } from 'hono/cors';`],
  ['app/panel.tsx', `import './panel.module.css'; import url from '../model/view?url';`],
  ['ingest/node-spool.ts', `import { tmpdir } from 'node:os';`],
  ['cli/main.ts', `import { join } from 'node:path'; import { viewAt } from '../model';`],
])('lets pass %s: %s', (file, text) => {
  expect(faultsIn(file, text)).toEqual([]);
});

function faultsIn(file: string, text: string): string[] {
  return importsIn(file, text).flatMap((specifier) => {
    const fault = faultOf(file, specifier);
    return fault === undefined ? [] : [`src/${file} imports '${specifier}': ${fault}`];
  });
}

function faultOf(file: string, specifier: string): string | undefined {
  const layer = file.split('/')[0] ?? '';
  const isTest = /\.(test|fixtures)\.tsx?$|\/bench\//.test(file);
  if (!isTest && /\.(test|fixtures)$/.test(specifier)) return 'it is there for tests alone';
  if (specifier.startsWith('.')) {
    const target = relative(src, resolve(src, dirname(file), specifier)).split(sep)[0] ?? '';
    if (target === '..') return isTest ? undefined : 'it stands outside src';
    const allowed = target === layer || mayImport[layer]?.includes(target);
    return allowed ? undefined : `${layer} may import ${mayImport[layer]?.join(', ') || 'no other layer'}`;
  }
  if (specifier.startsWith('node:')) {
    const forNode = isTest || layer === 'cli' || (layer !== 'model' && /\/node-[^/]+\.ts$/.test(file));
    return forNode
      ? undefined
      : 'it runs in the browser; what is for Node is in cli or in a file named node-*';
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (Object.hasOwn(dependencies, name)) return layer === 'model' ? 'model imports no package' : undefined;
  return isTest ? undefined : `${name} is not among the dependencies of package.json`;
}

/** What a file imports, in whatever way: statically, dynamically, as a type, by `export from`, as a worker. */
function importsIn(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`src/${file} can not be parsed: ${errors[0]?.message}`);
  const found: string[] = [];
  const add = (source: { type: string; value?: unknown } | null | undefined) => {
    if (typeof source?.value === 'string') found.push(source.value);
    else if (source) throw new Error(`src/${file} imports something that is not a plain string`);
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    NewExpression: ({ callee, arguments: [url, base] }) => {
      const relativeToFile = base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
      if (callee.type === 'Identifier' && callee.name === 'URL' && relativeToFile) add(url);
    },
  }).visit(program);
  return found;
}
