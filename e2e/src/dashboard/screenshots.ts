import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { isWhole } from '@citewell/testing/extent';

/** `e2e/screenshots`, which git ignores. */
const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const WIDTHS = { wide: 1280, narrow: 380 } as const;
const SCHEMES = ['light', 'dark'] as const;

/** Writes `<name>-<wide|narrow>-<light|dark>.png` of the page as it is, in `npm run soak -- browser`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (isWhole()) await writeScreenshots(page, name);
}

export async function writeScreenshots(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const [label, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({
        path: join(FOLDER, `${name}-${label}-${colorScheme}.png`),
        animations: 'disabled',
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: WIDTHS.wide, height: 800 });
}
