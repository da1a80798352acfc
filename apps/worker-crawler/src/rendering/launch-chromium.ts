import type { FilteringProxy } from '@citewell/web';
import type { Browser } from 'playwright-core';
import type { BrowserSettings } from './render.protocol.js';

const START_MS = 20_000;

/**
 * Starts Chromium with no way out; contexts get the given proxy's `contextProxy`. It is spoken to through a pipe: when this process ends, however
 * it ends, so does Chromium.
 *
 * @throws what playwright-core says when it does not start
 */
export async function launchChromium(settings: BrowserSettings, proxy: FilteringProxy): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: settings.chromiumPath,
    chromiumSandbox: settings.isSandboxed,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: START_MS,
    args: [
      ...proxy.chromiumArguments(),
      '--disable-3d-apis',
      `--js-flags=--max-old-space-size=${settings.heapMegabytes}`,
    ],
  });
}
