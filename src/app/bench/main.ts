import { createServer, type Server } from 'node:http';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright';
import { build } from 'vite';
import { rolloutFile, rowsFile, type Folders } from '../../ingest/bench/rollout-file';
import { childProcesses } from './processes';
import { holds, tableOf } from './report';
import type { Bench, Row } from './section';
import { sections } from './sections';

const usage = `npm run bench -- [--quick] [--only ID,...] [--keep] [--out FILE] [--strict]

  --quick    smaller files, the large one read once: about four minutes on two cores
  --only     of these sections: ${sections.map(({ id }) => id).join(', ')}
  --keep     leaves the generated files in the system's temporary folder, to be used again
  --out      where the figures go as JSON; bench-results.json if not given
  --strict   ends with exit code 1 where a bound is missed
`;

/** What `src/cli/boot/bench.mjs` knows of the project. */
export interface Setting {
  root: string;
  /** For what this run makes. */
  workFolder: string;
  /** The built app. */
  appFolder: string;
  /** A Chromium, and how to start it. */
  browser: string;
  launchArguments: string[];
}

export async function main(args: string[], setting: Setting): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      out: { type: 'string', default: join(setting.root, 'bench-results.json') },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const only = values.only?.split(',');
  const wanted = sections.filter(({ id }) => only === undefined || only.includes(id));
  if (wanted.length === 0) {
    process.stderr.write(`There is no such section.\n\n${usage}`);
    return 2;
  }

  const kept = join(tmpdir(), 'rollscope-bench');
  // Of this run alone, so that another one does not lose its files when this one ends.
  const files = { kept, own: values.keep ? kept : join(tmpdir(), `rollscope-bench-${process.pid}`) };
  const pages = join(setting.workFolder, 'page');
  await buildPage(setting.root, pages);
  const server = await serve({ '/': setting.appFolder, '/bench/': pages });
  const browser = await chromium.launch({
    executablePath: setting.browser,
    args: setting.launchArguments,
  });
  const started = performance.now();
  const rows: Row[] = [];
  const broken: string[] = [];
  try {
    mkdirSync(files.own, { recursive: true });
    const bench = benchOf({
      root: setting.root,
      browser,
      origin: originOf(server),
      files,
      quick: values.quick,
    });
    for (const section of wanted) {
      const began = performance.now();
      try {
        rows.push(...(await section.run(bench)));
      } catch (error) {
        broken.push(section.id);
        bench.say(
          `${section.id} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
      bench.say(`${section.id}: ${Math.round((performance.now() - began) / 1000)} s`);
    }
    const result = {
      at: new Date().toISOString(),
      quick: values.quick,
      seconds: Math.round((performance.now() - started) / 1000),
      machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`,
      browser: browser.version(),
      node: process.version,
      sizes: bench.sizes,
      rows: rows.map((row) => ({ ...row, holds: holds(row) })),
      broken,
    };
    writeFileSync(resolve(values.out), `${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(`${tableOf(rows)}\n`);
    bench.say(
      `${result.seconds} s on ${result.machine}, Chromium ${result.browser}; figures in ${resolve(values.out)}`,
    );
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
    if (!values.keep) rmSync(files.own, { recursive: true, force: true });
  }
  if (broken.length > 0) return 1;
  return values.strict && rows.some((row) => holds(row) === false) ? 1 : 0;
}

function benchOf(given: {
  root: string;
  browser: Browser;
  origin: string;
  files: Folders;
  quick: boolean;
}): Bench {
  const { root, browser, origin, files, quick } = given;
  const open = async (path: string, prepare?: () => void): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    // Closed already where the browser is.
    page.once('close', () => void context.close().catch(() => undefined));
    if (prepare !== undefined) await page.addInitScript(prepare);
    await page.goto(new URL(path, origin).href);
    return page;
  };
  return {
    root,
    quick,
    times: 5,
    sizes: quick ? { ratios: 64e6, whole: 256e6 } : { ratios: 256e6, whole: 1e9 },
    rolloutFile: (bytes) => rolloutFile(files, bytes),
    rowsFile: (rows) => rowsFile(files, rows),
    textFile: async (name, text) => {
      const file = join(files.own, name);
      await writeFile(file, text);
      return file;
    },
    openApp: (prepare) => open('/', prepare),
    openBenchPage: () => open('/bench/'),
    openPlainPage: () => open('/plain'),
    processes: childProcesses(),
    say: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Built as the app is, but apart from it: nothing of the bench is shipped. */
async function buildPage(root: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(root, 'src', 'app', 'bench', 'page'),
    base: './',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  });
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Folders under paths, the longest path that fits first, and a page of text at `/plain`. */
async function serve(folders: Readonly<Record<string, string>>): Promise<Server> {
  const plain = `<!doctype html><title>Text</title><pre>${'A line of text that is as long as such lines are.\n'.repeat(20_000)}</pre>`;
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const prefix = prefixes.find((candidate) => pathname.startsWith(candidate)) ?? '/';
    const rest = pathname.slice(prefix.length) || 'index.html';
    const found =
      pathname === '/plain' ? Promise.resolve(plain) : readFile(join(folders[prefix] ?? '', rest));
    found.then(
      (body) => {
        response.setHeader(
          'Content-Type',
          types[extname(rest)] ?? (pathname === '/plain' ? 'text/html' : 'application/octet-stream'),
        );
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return server;
}

function originOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}
