import type { ProxyOptions } from '@citewell/web';
import { RENDER_MODES } from '@citewell/contracts/schemas';

/** The first message to a browser process. */
export interface BrowserSettings {
  readonly chromiumPath: string;
  /** Chromium's own sandbox does not work for root. */
  readonly isSandboxed: boolean;
  readonly userAgent: string;
  readonly allowPrivateNetworks: readonly string[];
  readonly proxy: ProxyOptions | null;
  /** Limit of the JavaScript heap of one page, in megabytes. */
  readonly heapMegabytes: number;
  /** Of all processes of the browser together, without mapped files. With more, the browser is killed. */
  readonly maxMemoryBytes: number;
}

/** A page that has been fetched. The browser gets its bytes and requests everything else itself. */
export interface PageToRender {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RenderLimits {
  /** For everything. */
  readonly timeoutMs: number;
  /** Longest wait for the `load` event. Then the page is used as it is. */
  readonly loadMs: number;
  /** Longest wait after that, for half a second without requests and for some text. */
  readonly idleMs: number;
  /** Of scripts and other resources of the page, after decompression. */
  readonly maxBytes: number;
  /** UTF-16 code units of the rendered page. */
  readonly maxCharacters: number;
}

/**
 * - `redirect`: a script or a meta refresh redirects to another page. The browser does not follow it: that page
 *   has its own robots.txt and needs its own permit.
 * - `failed`: the page took too long (`timeout`), was too large (`too-large`), or crashed (`crashed`).
 */
export type Rendering =
  | { readonly kind: 'page'; readonly url: string; readonly html: string }
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'failed'; readonly reason: RenderFailure };

export type RenderFailure = 'timeout' | 'too-large' | 'crashed';

export interface RenderRequest {
  readonly kind: 'render';
  readonly id: number;
  readonly page: PageToRender;
  readonly limits: RenderLimits;
}

export type BrowserRequest =
  { readonly kind: 'start'; readonly settings: BrowserSettings } | RenderRequest | { readonly kind: 'end' };

export type BrowserReply =
  | { readonly kind: 'started' }
  | { readonly kind: 'not-started'; readonly message: string }
  | { readonly kind: 'done'; readonly id: number; readonly rendering: Rendering };

/** `auto` renders pages that have no text without JavaScript. */
export type RenderMode = (typeof RENDER_MODES)[number];

/** @param value the `config.render` of a datasource; an unknown value means `auto` */
export function renderModeOf(value: unknown): RenderMode {
  return RENDER_MODES.find((mode) => mode === value) ?? 'auto';
}
