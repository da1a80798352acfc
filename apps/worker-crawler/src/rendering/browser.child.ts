// The main file of a browser process: it has Chromium and the proxy that is its only way out. It handles what hostile
// pages send, so it is started with an empty environment and may die at any page: see `browser-process.ts`.
import { FilteringProxy } from '@citewell/web';
import type { Browser } from 'playwright-core';
import { launchChromium } from './launch-chromium.js';
import { PageVisit } from './page-visit.js';
import type { BrowserReply, BrowserRequest, BrowserSettings, Rendering } from './render.protocol.js';

/** Closing a page that is in its right mind takes milliseconds. */
const CLOSE_MS = 3_000;

let started: { browser: Browser; proxy: FilteringProxy; userAgent: string } | undefined;
const visits = new Map<number, () => void>();

// Without its worker there is nobody to read for; with this process, Chromium ends too: its pipe is closed.
process.on('disconnect', () => process.exit(0));
// A terminal sends them to everyone in it; when this process ends, the worker decides.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// `BrowserProcess` alone starts this program, and sends exactly this.
process.on('message', (message: BrowserRequest) => void take(message));

async function take(message: BrowserRequest): Promise<void> {
  switch (message.kind) {
    case 'start':
      return start(message.settings);
    case 'render':
      return reply({ kind: 'done', id: message.id, rendering: await render(message) });
    case 'cancel':
      return visits.get(message.id)?.();
    case 'end':
      await within(CLOSE_MS, started?.browser.close());
      process.exit(0);
  }
}

async function start(settings: BrowserSettings): Promise<void> {
  try {
    const { allowPrivateNetworks, userAgent, proxy: upstream } = settings;
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

async function render({ id, page, limits }: Extract<BrowserRequest, { kind: 'render' }>): Promise<Rendering> {
  if (!started) throw new Error('a page was sent before the settings');
  const { browser, proxy, userAgent } = started;
  const context = await browser.newContext({
    userAgent,
    proxy: proxy.contextProxy,
    acceptDownloads: false,
    serviceWorkers: 'block',
  });
  const cancelled = new Promise<Rendering>((resolve) => {
    visits.set(id, () => resolve({ kind: 'failed', reason: 'timeout' }));
  });
  const rendering = await Promise.race([new PageVisit(context, page, limits).run(), cancelled]);
  visits.delete(id);
  // A page that cannot be closed would be with all that come after it.
  if (!(await within(CLOSE_MS, context.close()))) process.exit(1);
  return rendering;
}

/** @returns whether it was done in time */
async function within(timeoutMs: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const done = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

function reply(message: BrowserReply): void {
  process.send?.(message);
}
