// The main file of a browser process. It runs Chromium and the proxy that is Chromium's only network access.
// It processes data of hostile pages, so it has an empty environment and may crash at any page: see
// `browser-process.ts`.
import { Worker } from 'node:worker_threads';
import { FilteringProxy } from '@citewell/web';
import type { Browser } from 'playwright-core';
import { PageVisit } from './page-visit.js';
import type {
  BrowserReply,
  BrowserRequest,
  BrowserSettings,
  Rendering,
  RenderRequest,
} from './render.protocol.js';

const START_TIMEOUT_MS = 20_000;
/** A page that works normally closes in milliseconds. */
const CLOSE_TIMEOUT_MS = 3_000;
/** More pages than these share processes. */
const MAX_RENDERERS = 4;

let started: { browser: Browser; proxy: FilteringProxy; userAgent: string } | undefined;

// The worker has ended. Chromium ends with this process, because its pipe is closed.
process.on('disconnect', () => process.exit(0));
// A terminal sends these signals to all processes in it. The worker decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Only `BrowserProcess` starts this program, so the message has this type.
process.on('message', (message: BrowserRequest) => void receive(message));

async function receive(message: BrowserRequest): Promise<void> {
  switch (message.kind) {
    case 'start':
      return start(message.settings);
    case 'render':
      return reply({ kind: 'done', id: message.id, rendering: await render(message) });
    case 'end':
      await started?.browser.close();
      process.exit(0);
  }
}

async function start(settings: BrowserSettings): Promise<void> {
  try {
    const { allowPrivateNetworks, userAgent, proxy: upstream, maxMemoryBytes } = settings;
    new Worker(new URL('./memory-limit.worker.js', import.meta.url), { workerData: maxMemoryBytes }).unref();
    const proxy = await FilteringProxy.start({
      allowPrivateNetworks,
      ...(upstream === null ? {} : { proxy: upstream }),
    });
    const browser = await launchChromium(settings, proxy);
    started = { browser, proxy, userAgent };
    browser.once('disconnected', () => process.exit(1));
    reply({ kind: 'started' });
  } catch (error) {
    reply({ kind: 'not-started', message: error instanceof Error ? error.message : String(error) });
  }
}

async function launchChromium(settings: BrowserSettings, proxy: FilteringProxy): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: settings.chromiumPath,
    chromiumSandbox: settings.isSandboxed,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: START_TIMEOUT_MS,
    args: [
      ...proxy.chromiumArguments(),
      '--disable-3d-apis',
      // Frames of other sites would get a process each. They stay empty, see `PageVisit`.
      '--disable-site-isolation-trials',
      `--renderer-process-limit=${MAX_RENDERERS}`,
      `--js-flags=--max-old-space-size=${settings.heapMegabytes}`,
    ],
  });
}

async function render({ page, limits }: RenderRequest): Promise<Rendering> {
  if (!started) throw new Error('the message `render` came before `start`');
  const { browser, proxy, userAgent } = started;
  const context = await browser.newContext({
    userAgent,
    proxy: proxy.contextProxy,
    acceptDownloads: false,
    serviceWorkers: 'block',
  });
  const rendering = await new PageVisit(context, page, limits).run();
  // A page that cannot be closed would use resources as long as the browser runs.
  const timer = setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS);
  await context.close().catch(() => undefined);
  clearTimeout(timer);
  return rendering;
}

function reply(message: BrowserReply): void {
  process.send?.(message);
}
