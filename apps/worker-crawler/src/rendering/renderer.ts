import { removeAbandonedScratch, Slots } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import {
  BrowserGoneError,
  BrowserNotStartedError,
  BrowserProcess,
  type BrowserProcessOptions,
} from './browser-process.js';
import type { PageToRender, Rendering, RenderLimits } from './render.protocol.js';

const LOAD_SHARE = 0.5;
const SETTLE_SHARE = 0.2;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_CHARACTERS = 20 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Of a browser's memory, what one page's scripts may have. */
const HEAP_SHARE = 0.5;
const MAX_PAGES = 200;
const MAX_AGE_MS = 15 * 60_000;
const IDLE_MS = 20_000;
/** After a start that failed, the next one is tried this much later: an operator may be at work on it. */
const RETRY_START_MS = 30_000;

export interface RendererOptions {
  /** Where Chromium is; null when it is nowhere. Asked before each start. */
  readonly findChromium: () => Promise<string | null>;
  readonly userAgent: string;
  readonly allowPrivateNetworks: readonly string[];
  readonly proxy: BrowserProcessOptions['settings']['proxy'];
  readonly extraCaCerts: string | undefined;
  /** Pages at the same time. */
  readonly concurrency: number;
  /** For one page. */
  readonly timeoutMs: number;
  /** Of the whole browser; see `BrowserProcessOptions`. */
  readonly maxMemoryBytes: number;
  /** Default 200. */
  readonly pagesPerBrowser?: number;
  /** After this long without a page the browser ends. Default 20,000. */
  readonly idleMs?: number;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
}

/** What became of a page; `unavailable` when there is no browser to open it in, `not-started` where there was one, which does not start again. */
export type RenderOutcome = Rendering | { readonly kind: 'unavailable' | 'not-started' };

/**
 * Opens pages in one browser, which is started at the first page, replaced after many and ended when there are no more.
 * A page that takes the browser down is not told from those that were open at the same time: each of them is opened
 * once more, alone, and only what happens then counts.
 */
export class Renderer {
  private readonly slots: Slots;
  private browser: Promise<BrowserProcess> | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private unavailableUntil = -Infinity;
  private hasStarted = false;
  private underWay = 0;
  private hasSwept = false;
  private isClosed = false;

  constructor(private readonly options: RendererOptions) {
    this.slots = new Slots(options.concurrency);
  }

  /** Waits for a free place, of which one host does not take all in turn, and opens the page. @throws the signal's reason */
  async render(page: PageToRender, signal: AbortSignal): Promise<RenderOutcome> {
    const holder = new URL(page.url).host;
    const opened = (): Promise<RenderOutcome | 'browser-gone'> => this.open(page, signal);
    const first = await this.slots.hold({ count: 1, holder }, signal, opened);
    if (first !== 'browser-gone') return first;
    const second = await this.slots.hold({ count: this.slots.size, holder }, signal, opened);
    return second === 'browser-gone' ? { kind: 'failed', reason: 'crashed' } : second;
  }

  /** Ends the browser, with the pages in it; no other one is started. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.endBrowser();
  }

  private async open(page: PageToRender, signal: AbortSignal): Promise<RenderOutcome | 'browser-gone'> {
    signal.throwIfAborted();
    this.underWay += 1;
    clearTimeout(this.idleTimer);
    try {
      const browser = await this.currentBrowser();
      return browser === null
        ? { kind: this.hasStarted ? 'not-started' : 'unavailable' }
        : await browser.render(page, this.limits(), signal);
    } catch (error) {
      if (!(error instanceof BrowserGoneError)) throw error;
      this.options.logger.warn({ err: error, url: page.url }, 'the browser ended under a page');
      return 'browser-gone';
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.idleTimer = setTimeout(() => void this.endBrowser(), this.idleMs).unref();
    }
  }

  private get idleMs(): number {
    return this.options.idleMs ?? IDLE_MS;
  }

  /** A spent browser is replaced when its last page has left it. */
  private async currentBrowser(): Promise<BrowserProcess | null> {
    const known = this.browser;
    const browser = await known;
    if (browser?.isSpent === false) return browser;
    await browser?.whenEmpty();
    // Another page may have replaced it in the meantime.
    if (this.browser !== known) return this.currentBrowser();
    if (this.isClosed || performance.now() < this.unavailableUntil) return null;
    this.browser = this.start(browser);
    return this.browser.catch((error: unknown) => {
      this.browser = undefined;
      if (!(error instanceof BrowserNotStartedError)) throw error;
      this.unavailableUntil = performance.now() + RETRY_START_MS;
      this.options.logger.warn({ err: error }, 'pages are not rendered: Chromium does not start');
      return null;
    });
  }

  private async start(previous: BrowserProcess | undefined): Promise<BrowserProcess> {
    await previous?.end();
    if (!this.hasSwept) await removeAbandonedScratch('browser');
    this.hasSwept = true;
    const { options } = this;
    const chromiumPath = await options.findChromium();
    if (chromiumPath === null)
      throw new BrowserNotStartedError('there is none on the PATH, and CHROMIUM_PATH names none');
    const browser = await BrowserProcess.start({
      settings: {
        chromiumPath,
        isSandboxed: process.getuid?.() !== 0,
        userAgent: options.userAgent,
        allowPrivateNetworks: options.allowPrivateNetworks,
        proxy: options.proxy,
        heapMegabytes: Math.floor((options.maxMemoryBytes * HEAP_SHARE) / MEGABYTE),
      },
      extraCaCerts: options.extraCaCerts,
      maxMemoryBytes: options.maxMemoryBytes,
      maxPages: options.pagesPerBrowser ?? MAX_PAGES,
      maxAgeMs: MAX_AGE_MS,
    });
    this.hasStarted = true;
    return browser;
  }

  private limits(): RenderLimits {
    const { timeoutMs } = this.options;
    return {
      timeoutMs,
      loadMs: timeoutMs * LOAD_SHARE,
      settleMs: timeoutMs * SETTLE_SHARE,
      maxBytes: MAX_BYTES,
      maxCharacters: MAX_CHARACTERS,
    };
  }

  private async endBrowser(): Promise<void> {
    clearTimeout(this.idleTimer);
    const { browser } = this;
    this.browser = undefined;
    await (await browser?.catch(() => undefined))?.end();
  }
}
