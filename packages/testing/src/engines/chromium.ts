import { findChromium } from '@citewell/config';

/** The Chromium that tests of rendered pages start: `CHROMIUM_PATH`, or the one on the PATH. Null when there is none. */
export async function chromiumForTests(): Promise<string | null> {
  return findChromium(process.env['CHROMIUM_PATH']);
}
