import { Slots } from '@citewell/ingestion';
import { removeAbandonedScratch } from '@citewell/observability/child-processes';
import type { Logger } from '@citewell/observability';
import {
  BrowserGoneError,
  BrowserNotStartedError,
  BrowserProcess,
  type BrowserProcessOptions,
} from './browser-process.js';
import type { PageToRender, Rendering, RenderLimits } from './render.protocol.js';

/** Shares of the time limit of a page, see `RenderLimits`. */
const LOAD_SHARE = 0.5;
const IDLE_SHARE = 0.2;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_CHARACTERS = 20 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Share of the browser's memory for the scripts of one page. */
const HEAP_SHARE = 0.5;
const MAX_PAGES = 200;
const IDLE_TIMEOUT_MS = 20_000;
/** Time between a failed start and the next one. */
const RETRY_START_MS = 30_000;

export interface RendererOptions {
  /** Returns the path of Chromium, or null if there is none. Called before each start. */
  readonly findChromium: () => Promise<string | null>;
  readonly userAgent: string;
  readonly allowPrivateNetworks: readonly string[];
  readonly proxy: BrowserProcessOptions['settings']['proxy'];
  readonly extraCaCerts: string | undefined;
  /** Pages at the same time. */
  readonly concurrency: number;
  /** For one page. */
  readonly timeoutMs: number;
  /** Of the whole browser, see `BrowserSettings`. */
  readonly maxMemoryBytes: number;
  /** Default 200. */
  readonly pagesPerBrowser?: number;
  /** Time without a page after which the browser ends. Default 20,000. */
  readonly idleMs?: number;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
}

/** `unavailable`: there is no browser. `not-started`: there was one, but it does not start again. */
export type RenderOutcome = Rendering | { readonly kind: 'unavailable' | 'not-started' };

/**
 * Renders pages in one browser. The browser starts with the first page, is replaced after a number of pages,
 * and ends when it is idle. If it ends while pages are open, the page that caused it is unknown. So each of
 * them is rendered once more, alone, and the second result counts.
 */
export class Renderer {
  private readonly slots: Slots;
  private browser: Promise<BrowserProcess> | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private unavailableUntil = -Infinity;
  private hasStarted = false;
  private openPages = 0;
  private isClosed = false;

  constructor(private readonly options: RendererOptions) {
    this.slots = new Slots(options.concurrency);
  }

  /**
   * Waits for a slot, which hosts share fairly, and renders the page.
   *
   * @param onClosed gets the time that the page was open, without that wait
   * @throws the reason of `signal`
   */
  async render(
    page: PageToRender,
    signal: AbortSignal,
    onClosed: (openMs: number) => void = () => undefined,
  ): Promise<RenderOutcome> {
    const holder = new URL(page.url).host;
    const open = (): Promise<RenderOutcome | 'browser-gone'> => {
      const openedAt = performance.now();
      return this.open(page, signal).finally(() => onClosed(performance.now() - openedAt));
    };
    const first = await this.slots.hold({ count: 1, holder }, signal, open);
    if (first !== 'browser-gone') return first;
    const second = await this.slots.hold({ count: this.slots.size, holder }, signal, open);
    return second === 'browser-gone' ? { kind: 'failed', reason: 'crashed' } : second;
  }

  /** Ends the browser and its pages. No other browser is started. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.endBrowser();
  }

  private async open(page: PageToRender, signal: AbortSignal): Promise<RenderOutcome | 'browser-gone'> {
    signal.throwIfAborted();
    this.openPages += 1;
    clearTimeout(this.idleTimer);
    try {
      const browser = await this.currentBrowser();
      return browser === null
        ? { kind: this.hasStarted ? 'not-started' : 'unavailable' }
        : await browser.render(page, this.limits(), signal);
    } catch (error) {
      if (!(error instanceof BrowserGoneError)) throw error;
      this.options.logger.warn({ err: error, url: page.url }, 'the browser ended while a page was open');
      return 'browser-gone';
    } finally {
      this.openPages -= 1;
      const { idleMs = IDLE_TIMEOUT_MS } = this.options;
      if (this.openPages === 0) this.idleTimer = setTimeout(() => void this.endBrowser(), idleMs).unref();
    }
  }

  /** A spent browser is replaced when its last page is closed. */
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
    await removeAbandonedScratch('browser');
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
        maxMemoryBytes: options.maxMemoryBytes,
      },
      extraCaCerts: options.extraCaCerts,
      maxPages: options.pagesPerBrowser ?? MAX_PAGES,
    });
    this.hasStarted = true;
    return browser;
  }

  private limits(): RenderLimits {
    const { timeoutMs } = this.options;
    return {
      timeoutMs,
      loadMs: timeoutMs * LOAD_SHARE,
      idleMs: timeoutMs * IDLE_SHARE,
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
