import { findChromium } from '@citewell/config';

/**
 * Path of the Chromium for tests of rendered pages: `CHROMIUM_PATH`, or the one on the PATH. Null if there is
 * none.
 */
export async function chromiumForTests(): Promise<string | null> {
  return findChromium(process.env['CHROMIUM_PATH']);
}
