import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { newFolder } from './folder';

/** A file to drop: one on disk, or made for the test. */
export type DroppedFile = string | { name: string; text: string };

/**
 * Drops files on the middle of the page as a person does: the browser itself makes the drag events and the files, so
 * that they are trusted and read from disk.
 */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const folder = await newFolder();
  const paths = await Promise.all(
    files.map(async (file) => {
      if (typeof file === 'string') return file;
      const path = join(folder, basename(file.name));
      await writeFile(path, file.text);
      return path;
    }),
  );
  // Nobody drops before there is something to see.
  await page.getByRole('banner').waitFor();
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  }
  await session.detach();
}
