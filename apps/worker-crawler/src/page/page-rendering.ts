import { hash } from 'node:crypto';
import { IngestionError } from '@citewell/contracts/errors';
import { LOGGER } from '@citewell/infrastructure';
import type { RenderingReason } from '@citewell/documents/web-page';
import type { Logger } from '@citewell/observability';
import { normalizeUrl, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { HostPacer } from '../fetching/host-pacer.js';
import type { SiteSession } from '../fetching/url-fetcher.js';
import { PageReader } from '../page-reader/page-reader.js';
import { HTML, refreshOf } from '../page-reader/page-type.js';
import type { RenderFailure, RenderMode } from '../rendering/render.protocol.js';
import { Renderer } from '../rendering/renderer.js';
import { utf8Page, withoutValidators } from './embedded-page.js';
import type { HtmlPage, PageResponse } from './page-loader.js';

/** Of all hosts. */
const MAX_REMEMBERED_LINES = 50_000;

/** Further lines of a page are not compared. */
const MAX_COMPARED_LINES = 500;

/** Share of the characters of a text in lines that other pages have. */
const MIN_SHARED_TEXT = 0.8;

/** Of a longer text, all lines: members that classes inherit are most of the text of many pages. */
const MAX_SHELL_CHARACTERS = 5_000;

/** Stands for the URLs of several pages. */
const SEVERAL_URLS = '';

export interface RenderOptions {
  readonly url: string;
  readonly mode: RenderMode;
  /** Whether content of the page answers queries and would go on doing so if this fails. */
  readonly answers: boolean;
  /** Has the cookies that the browser begins with. */
  readonly session?: SiteSession;
  readonly signal: AbortSignal;
}

/** Response headers that concern a browser that is given the page. */
const KEPT_HEADERS = ['content-type', 'content-language', 'content-security-policy', 'set-cookie'];
const HTML_UTF8 = `${HTML}; charset=utf-8`;
/** A page that has been fetched waits longer for its host than a request does. */
const MAX_WAIT_MS = 300_000;

/**
 * Opens pages in a browser where they need one.
 *
 * - `auto`: pages that may need it. If there is no browser, or it fails, the fetched page is used, unless content of the
 *   page answers already, or the page is a shell.
 * - `always`: every page; without a browser it is an error.
 * - Rendered pages have no validators: an unchanged shell says nothing about the data that its scripts load.
 * - A page that is a shell in the browser, too, fails.
 * - A page whose script navigates to another page is a redirect.
 */
@Injectable()
export class PageRendering {
  constructor(
    @Inject(Renderer) private readonly renderer: Pick<Renderer, 'render'>,
    @Inject(PageReader) private readonly reader: Pick<PageReader, 'read'>,
    @Inject(HostPacer) private readonly pacer: Pick<HostPacer, 'run'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  private readonly seen = new SeenTexts();

  /**
   * @throws IngestionError `RENDER_UNAVAILABLE` in mode `always`, and where content answers and a browser that worked
   * before does not start; IngestionError of `PageReader`; HostBusyError; the signal's reason
   */
  async open(fetched: HtmlPage, options: RenderOptions): Promise<PageResponse> {
    const { url, mode, answers } = options;
    const reason = mode === 'always' ? mode : this.reasonFor(fetched, url);
    if (mode === 'never' || reason === null) return fetched;
    const { isShell } = fetched.page.facts;
    const outcome = await this.render(fetched, options);
    this.logger.info({ url, reason, outcome: outcome.kind }, 'a page is rendered');
    switch (outcome.kind) {
      case 'page':
        return shownOrError(await this.read(fetched, outcome.url, outcome.html));
      case 'redirect':
        return { kind: 'redirect', location: outcome.url, target: normalizeUrl(outcome.url) };
      case 'unavailable':
      case 'not-started':
        if (mode === 'always' || (answers && outcome.kind === 'not-started'))
          throw new IngestionError('RENDER_UNAVAILABLE');
        return withoutValidators(fetched);
      case 'failed':
        this.logger.info({ url, reason: outcome.reason }, 'a page could not be rendered');
        if (mode === 'auto' && !answers && !isShell && fetched.page.document !== null)
          return withoutValidators(fetched);
        return { kind: 'error', error: errorOf(outcome.reason), renderFailure: outcome.reason };
    }
  }

  /** Why a page may need a browser: by itself, or because other pages of its host have most of its text. */
  private reasonFor({ page }: HtmlPage, url: string): RenderingReason | 'shared-text' | null {
    const { document, facts } = page;
    const isShared = document !== null && facts.hasScripts && this.seen.isMostlyElsewhere(url, document.text);
    return facts.needsRendering ?? (isShared ? 'shared-text' : null);
  }

  /** Scripts of the page send requests to its host, so rendering keeps the host's pace. */
  private async render({ answer, bytes }: HtmlPage, { url, session, signal }: RenderOptions) {
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = answer.headers[name];
        return value === undefined ? [] : [[name, [value].flat().join('\n')]];
      }),
    );
    // A site sets its cookies with the first page only.
    const cookies = session?.cookies.setCookiesFor(new URL(url)) ?? [];
    if (cookies.length > 0) headers['set-cookie'] = cookies.join('\n');
    const shell = { url, body: bytes, headers: { 'content-type': HTML, ...headers } };
    return this.pacer.run(new URL(url).host, { maxWaitMs: MAX_WAIT_MS, signal }, () =>
      this.renderer.render(shell, signal),
    );
  }

  private async read(fetched: HtmlPage, shownUrl: string, html: string): Promise<HtmlPage> {
    const bytes = utf8Page(html);
    const { url: fetchedUrl } = fetched.answer;
    const url = new URL(shownUrl).origin === new URL(fetchedUrl).origin ? shownUrl : fetchedUrl;
    const page = await this.reader.read({ bytes, url, contentType: HTML_UTF8, ...refreshOf(fetched.answer) });
    return { ...withoutValidators(fetched), bytes, page };
  }
}

/**
 * The lines of the pages that were fetched last. A page whose text without a browser consists mostly of lines of other
 * pages of its host may be the shell of an application.
 */
export class SeenTexts {
  /** The page that has a line, by host and line. */
  private readonly pages = new Map<string, string>();

  /**
   * Whether other pages of the host have most of the text. Remembers the text for the page.
   *
   * @param text in the format of the blob store
   */
  isMostlyElsewhere(url: string, text: Uint8Array): boolean {
    const { host } = new URL(url);
    let characters = 0;
    let shared = 0;
    for (const line of linesOf(text)) {
      characters += line.length;
      if (this.isElsewhere(url, hash('sha256', `${host} ${line}`))) shared += line.length;
    }
    const minShared = characters > MAX_SHELL_CHARACTERS ? 1 : MIN_SHARED_TEXT;
    return characters > 0 && shared >= characters * minShared;
  }

  private isElsewhere(url: string, key: string): boolean {
    const known = this.pages.get(key);
    if (known === undefined) {
      const [oldest] = this.pages.keys();
      if (oldest !== undefined && this.pages.size >= MAX_REMEMBERED_LINES) this.pages.delete(oldest);
      this.pages.set(key, url);
    } else if (known !== url) this.pages.set(key, SEVERAL_URLS);
    return known !== undefined && known !== url;
  }
}

function shownOrError(page: HtmlPage): PageResponse {
  if (!page.page.facts.isShell || page.page.document === null) return page;
  const error = new WebFetchError(
    'transient',
    'TIMEOUT',
    'In a browser, too, the page shows only a loading screen. Open its address to see whether it loads, then sync again.',
  );
  return { kind: 'error', error, renderFailure: 'timeout' };
}

function errorOf(reason: RenderFailure): WebFetchError {
  switch (reason) {
    case 'timeout':
      return new WebFetchError('transient', 'TIMEOUT', 'The page did not finish loading in a browser.');
    case 'crashed':
      return new WebFetchError(
        'transient',
        'BAD_RESPONSE',
        'The page needs more memory in a browser than this installation allows.',
      );
    case 'too-large':
      return new WebFetchError(
        'permanent',
        'TOO_LARGE',
        'The page loads more data than this installation allows.',
      );
  }
}

/** The different lines of a text. */
function linesOf(text: Uint8Array): Set<string> {
  const lines = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf16le').split('\n');
  return new Set(lines.slice(0, MAX_COMPARED_LINES).filter((line) => line.trim() !== ''));
}
