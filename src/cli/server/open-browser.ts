import { spawn } from 'node:child_process';

/** Shows a URL in the person's browser, where there is one to show it in. Says whether it tried. */
export function openBrowser(url: string): boolean {
  const { platform, env } = process;
  const screen = platform === 'darwin' || platform === 'win32' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (!screen || env['CI']) return false;
  const [program, ...args] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}
