import { IngestionError } from '@citewell/contracts/errors';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { looksLikeSitemapOrFeed, normalizeUrl, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import type { Seat } from '../crawl-site/host-seats.js';
import { HostTurns } from '../crawl-site/host-turns.js';
import type { Fetched } from '../crawl-site/url-fetcher.js';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';
import { PageReader } from '../page-reader/page-reader.js';
import { HTML, isPage } from '../page-reader/page-type.js';
import type { RenderMode } from './render-mode.js';
import type { RenderFailure } from './render.protocol.js';
import { Renderer } from './renderer.js';

/** A page that was fetched and read. */
export interface FetchedPage extends Pick<Extract<Fetched, { kind: 'content' }>, 'answer' | 'bytes'> {
  readonly page: ReadPage;
}

/** As what was fetched, with what was read. */
export type OpenedPage =
  | ({ readonly kind: 'content' } & FetchedPage)
  | Extract<Fetched, { kind: 'redirect' }>
  | { readonly kind: 'error'; readonly error: WebFetchError; readonly reason: RenderFailure };

/** What was fetched; a page was read. */
export type OpenedUnread = Fetched & { readonly page?: ReadPage };

export interface OpenCall {
  readonly url: string;
  readonly mode: RenderMode;
  /** Something of the page serves, and goes on doing so where this fails. Default false. */
  readonly serves?: boolean;
  /** Of the run that it is for. */
  readonly seat: Pick<Seat, 'patience'>;
  readonly signal: AbortSignal;
}

/** Of what a server says with a page, what concerns a browser that is given the page by us. */
const KEPT_HEADERS = ['content-type', 'content-language', 'content-security-policy', 'set-cookie'];
const CODES = { timeout: 'PARSE_TIMEOUT', crashed: 'PARSE_MEMORY', 'too-large': 'PAGE_TOO_LARGE' } as const;
const HTML_UTF8 = `${HTML}; charset=utf-8`;
/** Wins over whatever the page says of its encoding. */
const UTF8_BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Opens pages in a browser where they need it.
 *
 * - `auto`: a page that is an empty shell. Where there is no browser, or it fails on the page, the text that the shell
 *   has is used: it beats nothing. It does not beat what serves, which a browser that fails, or does not start any
 *   more, has probably shown before.
 * - `always`: every page, and there is no page without a browser.
 * - What a browser shows carries no validators: that a shell has not changed says nothing about what is loaded into it.
 * - A page whose script leads to another page is a redirect; the browser does not go there.
 */
@Injectable()
export class PageRendering {
  constructor(
    @Inject(Renderer) private readonly renderer: Pick<Renderer, 'render'>,
    @Inject(PageReader) private readonly reader: Pick<PageReader, 'read'>,
    @Inject(HostTurns) private readonly turns: Pick<HostTurns, 'take'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /**
   * The page as it should be read.
   *
   * @throws IngestionError `RENDER_UNAVAILABLE` for `always`, and where something serves and the browser does not start any more;
   *   else, in `auto`, a shell without a text comes back as it is
   * @throws IngestionError as `PageReader`; RetryLaterError where its host is busy; or the signal's reason
   */
  async open(fetched: FetchedPage, call: OpenCall): Promise<OpenedPage> {
    const { url, mode, serves = false } = call;
    if (mode === 'never' || (mode === 'auto' && fetched.page.facts.needsRendering === null))
      return { kind: 'content', ...fetched };
    const outcome = await this.render(fetched, call);
    switch (outcome.kind) {
      case 'page':
        return this.read(fetched, outcome.url, outcome.html);
      case 'redirect':
        return { kind: 'redirect', location: outcome.url, target: normalizeUrl(outcome.url) };
      case 'unavailable':
      case 'not-started':
        if (mode === 'always' || (serves && outcome.kind === 'not-started'))
          throw new IngestionError('RENDER_UNAVAILABLE');
        return unrendered(fetched);
      case 'failed':
        this.logger.info({ url, reason: outcome.reason }, 'a page was not rendered');
        if (mode === 'auto' && !serves && fetched.page.document !== null) return unrendered(fetched);
        return { kind: 'error', error: errorOf(outcome.reason), reason: outcome.reason };
    }
  }

  /**
   * As `open`, for what was fetched and not read: what is no page comes back as it is, without `page`.
   *
   * @throws IngestionError `RENDER_UNAVAILABLE`, also in `auto` for a shell without a text
   * @throws IngestionError `PARSE_TIMEOUT`, `PARSE_MEMORY` or `PAGE_TOO_LARGE` where the browser fails: as with a file
   *   that its parser fails on, a few attempts are enough
   */
  async openUnread(fetched: Fetched, call: OpenCall): Promise<OpenedUnread> {
    if (fetched.kind !== 'content') return fetched;
    const { answer, bytes } = fetched;
    if (!isPage(answer.contentType) || looksLikeSitemapOrFeed(bytes, answer.contentType) !== null)
      return fetched;
    const contentType = answer.headers['content-type'] ?? HTML;
    const page = await this.reader.read({ bytes, url: call.url, contentType });
    const opened = await this.open({ answer, bytes, page }, call);
    if (opened.kind === 'redirect') return opened;
    if (opened.kind === 'error')
      throw new IngestionError(CODES[opened.reason], { detail: opened.error.userMessage });
    const { facts, document } = opened.page;
    if (document === null && facts.needsRendering !== null && call.mode !== 'never')
      throw new IngestionError('RENDER_UNAVAILABLE');
    return opened;
  }

  /**
   * The page asks its host for scripts and data, so it needs a turn there like any other request. It has been fetched
   * already, and waits for longer than others.
   */
  private async render({ answer, bytes }: FetchedPage, { url, seat, signal }: OpenCall) {
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = answer.headers[name];
        return value === undefined ? [] : [[name, [value].flat().join('\n')]];
      }),
    );
    const shell = { url, body: bytes, headers: { 'content-type': HTML, ...headers } };
    const { patience } = seat;
    return this.turns.take(new URL(url).host, { isPatient: true, patience, signal }, () =>
      this.renderer.render(shell, signal),
    );
  }

  private async read({ answer }: FetchedPage, shownUrl: string, html: string): Promise<OpenedPage> {
    const bytes = Buffer.concat([UTF8_BYTE_ORDER_MARK, Buffer.from(html.toWellFormed())]);
    const url = new URL(shownUrl).origin === new URL(answer.url).origin ? shownUrl : answer.url;
    const page = await this.reader.read({ bytes, url, contentType: HTML_UTF8 });
    return { kind: 'content', answer: withoutValidators(answer), bytes, page };
  }
}

function unrendered(fetched: FetchedPage): OpenedPage {
  return { kind: 'content', ...fetched, answer: withoutValidators(fetched.answer) };
}

function withoutValidators(answer: FetchedPage['answer']): FetchedPage['answer'] {
  return { ...answer, etag: null, lastModified: null };
}

function errorOf(reason: RenderFailure): WebFetchError {
  switch (reason) {
    case 'timeout':
      return new WebFetchError('transient', 'TIMEOUT', 'The page does not come to an end in a browser.');
    case 'crashed':
      return new WebFetchError(
        'transient',
        'BAD_RESPONSE',
        'The page needs more of a browser than this installation has to give.',
      );
    case 'too-large':
      return new WebFetchError(
        'permanent',
        'TOO_LARGE',
        'The page loads more than this installation allows.',
      );
  }
}
