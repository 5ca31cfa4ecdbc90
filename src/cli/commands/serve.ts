import { defineCommand, Failed, portNumber } from '../command';
import { fileOf, findInputs } from '../inputs';
import { jsonLine } from '../io';
import { startServer } from '../server/listen';
import { openBrowser } from '../server/open-browser';
import { watching } from '../server/watching';

export const serve = defineCommand({
  name: 'serve',
  synopsis: '[serve] [paths...]',
  about: 'opens the app in the browser, with these files or folders',
  details: `Serves the app on 127.0.0.1 and opens it in the browser, with the files and folders that are named. Nothing leaves
this machine. The files can be read only through the printed URL, which holds a secret. Ends with Ctrl+C.`,
  options: {
    port: { type: 'string', value: 'N', about: 'the port; 4600 or the next free one if not given' },
    watch: { type: 'boolean', about: 'follow the files as they grow, and folders as files come into them' },
    'no-open': { type: 'boolean', about: 'only print the URL' },
  },
  async run({ positionals, json, text, flag }, io) {
    const given = text('port');
    const port = given === undefined ? undefined : portNumber(given);
    const found = await findInputs(positionals);
    const inputs = found.filter(({ failure }) => failure === undefined);
    const failures = found.flatMap(({ failure }) => failure ?? []);
    const [first] = failures;
    if (first !== undefined && inputs.length === 0) throw new Failed(first);
    for (const failure of failures) io.note(`rollscope: ${failure}`);
    const sources = await Promise.all(
      inputs.map(async (input) => ({ name: input.name, file: await fileOf(input, io.stdin) })),
    );
    const appFolder = await io.ensureApp();
    const server = await startServer({
      appFolder,
      sources,
      ...(flag('watch') ? { watch: watching(positionals, sources) } : {}),
      ...(port === undefined ? {} : { port }),
    });

    const { url, token } = server;
    const names = sources.map(({ name }) => name);
    await io.data(json ? jsonLine({ url, port: server.port, token, sources: names }) : `${url}\n`);
    if (!flag('no-open') && !openBrowser(url)) io.note('No browser to open here: open the URL yourself.');
    await interrupted();
    await server.close();
    return 0;
  },
});

function interrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
