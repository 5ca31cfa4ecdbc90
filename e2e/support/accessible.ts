import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** What is on the screen now has no fault that axe can find, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // The theme is the system's unless the person chose another.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The page follows, and is drawn in it.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    // What passes need not be listed, and there are no frames to put together in a page of their own: that takes a
    // sixth of the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    // The second theme is the same page in other colours.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
    const { violations } = await axe.analyze();
    const faults = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${colorScheme}: ${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
      ),
    );
    expect(faults).toEqual([]);
  }
}
