import type { ProxyOptions } from '@citewell/web';

/** What a browser process is started with; the first message it gets. */
export interface BrowserSettings {
  readonly chromiumPath: string;
  /** Chromium's own sandbox does not work for root. */
  readonly isSandboxed: boolean;
  readonly userAgent: string;
  readonly allowPrivateNetworks: readonly string[];
  readonly proxy: ProxyOptions | null;
  /** V8's heap of one page, in megabytes. */
  readonly heapMegabytes: number;
}

/** A page that was fetched already: the browser is given its bytes and asks for the rest itself. */
export interface PageToRender {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RenderLimits {
  /** For all of it. */
  readonly timeoutMs: number;
  /** Longest wait for the page's `load` event; then it is taken as it is. */
  readonly loadMs: number;
  /** Longest wait, after that, for half a second without requests and for some text. */
  readonly settleMs: number;
  /** What scripts and other parts of the page may weigh, after decompression. */
  readonly maxBytes: number;
  /** UTF-16 units of the rendered page. */
  readonly maxCharacters: number;
}

/**
 * What became of a page:
 * - `redirect`: its script, or a refresh, leads to another page. It is not followed here: that page has its own
 *   robots.txt and its own turn.
 * - `failed`: it crashed or outlasted its process (`crashed`), its time (`timeout`) or its size (`too-large`).
 */
export type Rendering =
  | { readonly kind: 'page'; readonly url: string; readonly html: string }
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'failed'; readonly reason: RenderFailure };

export type RenderFailure = 'timeout' | 'too-large' | 'crashed';

export type BrowserRequest =
  | { readonly kind: 'start'; readonly settings: BrowserSettings }
  | {
      readonly kind: 'render';
      readonly id: number;
      readonly page: PageToRender;
      readonly limits: RenderLimits;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'end' };

export type BrowserReply =
  | { readonly kind: 'started' }
  | { readonly kind: 'not-started'; readonly message: string }
  | { readonly kind: 'done'; readonly id: number; readonly rendering: Rendering };
