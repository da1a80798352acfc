import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import { LOGGER } from '@citewell/infrastructure';
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
import { SiteRendering, type SiteRenderingReason } from './site-rendering.js';

export interface RenderOptions {
  readonly url: string;
  readonly mode: RenderMode;
  /** Whether content of the page answers queries and would go on doing so if this fails. */
  readonly answers: boolean;
  /** Whether the crawl follows the links of the page. Default: true. */
  readonly hasFollowedLinks?: boolean;
  /** What the crawl has learned about its site. Default: nothing. */
  readonly site?: SiteRendering;
  /** Has the cookies that the browser begins with. */
  readonly session?: SiteSession;
  readonly signal: AbortSignal;
}

/** Response headers that concern a browser that is given the page. */
const KEPT_HEADERS = ['content-type', 'content-language', 'content-security-policy', 'set-cookie'];
const HTML_UTF8 = `${HTML}; charset=utf-8`;
const TIME_OVER = 'The page was not opened in a browser, because the crawl has used up its time for that.';
const OTHERS_FAILED = 'The page was not opened in a browser, because pages like it could not be opened.';
/** A page that has been fetched waits longer for its host than a request does. */
const MAX_WAIT_MS = 300_000;

/**
 * Opens pages in a browser where they need one.
 *
 * - `auto`: pages that have no text, and those that may need it, unless {@link PageGroup} knows better. If
 *   there is no browser, or it fails, the fetched page is used, unless content of the page answers already, or the page is a
 *   shell.
 * - `always`: every page; without a browser it is an error.
 * - Once the crawl has used up its time in the browser, or the first pages of a kind failed in it, content that answers is kept, a page with text is used as it was
 *   fetched, and any other is `not-rendered`.
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

  /**
   * @throws IngestionError `RENDER_UNAVAILABLE` in mode `always`, and where content answers and a browser that worked
   * before does not start; IngestionError of `PageReader`; HostBusyError; the signal's reason
   */
  async open(fetched: HtmlPage, options: RenderOptions): Promise<PageResponse> {
    const { url, mode, hasFollowedLinks = true, site = new SiteRendering(), signal } = options;
    if (mode === 'never') return fetched;
    const reason = mode === 'always' ? mode : site.reasonFor(fetched, url);
    if (reason === null) return fetched;
    const render = (): Promise<PageResponse> => this.openIn(site, fetched, reason, options);
    const { document, facts } = fetched.page;
    const hasNoText = facts.isShell && (document === null || reason === 'loading-screen');
    if (reason === 'always' || hasNoText) return render();
    const group = site.groupOf(reason, fetched);
    const opened = await group.open(fetched, { hasFollowedLinks, signal }, render);
    if (opened !== fetched) return opened;
    if (group.hasFailed) return notRendered(fetched, OTHERS_FAILED, options);
    // A page with links only is no shell if rendering adds nothing to it, or to others like it.
    return { ...fetched, page: { document, facts: { ...facts, isShell: false } } };
  }

  private async openIn(
    site: SiteRendering,
    fetched: HtmlPage,
    reason: SiteRenderingReason | 'always',
    options: RenderOptions,
  ): Promise<PageResponse> {
    const { url, mode, answers } = options;
    if (site.refuses()) return notRendered(fetched, TIME_OVER, options);
    const outcome = await this.render(fetched, options, (openMs) => site.spend(openMs));
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
        // A page with much text is not requested again because of a browser that may be installed later.
        return reason === 'empty-part' ? fetched : withoutValidators(fetched);
      case 'failed': {
        this.logger.info({ url, reason: outcome.reason }, 'a page could not be rendered');
        if (reason !== 'always') site.groupOf(reason, fetched).countFailure();
        const error = errorOf(outcome.reason);
        if (hasText(fetched, mode) && !answers) return asFetched(fetched, error.userMessage);
        return { kind: 'error', error, renderFailure: outcome.reason };
      }
    }
  }

  /** Scripts of the page send requests to its host, so rendering keeps the host's pace. */
  private async render(
    { answer, bytes }: HtmlPage,
    { url, session, signal }: RenderOptions,
    onClosed: (openMs: number) => void,
  ) {
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
      this.renderer.render(shell, signal, onClosed),
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

function hasText({ page: { document, facts } }: HtmlPage, mode: RenderMode): boolean {
  return mode === 'auto' && !facts.isShell && document !== null;
}

/** A page that the browser is not asked for. @param cause a sentence */
function notRendered(fetched: HtmlPage, cause: string, { mode, answers }: RenderOptions): PageResponse {
  const { robotsTags } = fetched.answer;
  if (answers && !fetched.page.facts.robots.noindex) return { kind: 'unchanged', robotsTags };
  return hasText(fetched, mode) ? asFetched(fetched, cause) : { kind: 'not-rendered' };
}

/** A page without the text that its scripts may show, with a warning. The next sync tries again. @param cause a sentence */
function asFetched(fetched: HtmlPage, cause: string): HtmlPage {
  const { page } = fetched;
  const warning = datasourceErrorOf('PARTLY_READ', `${cause} Text that only its scripts show is missing.`);
  const document = page.document && { ...page.document, warning: page.document.warning ?? warning };
  return { ...withoutValidators(fetched), page: { ...page, document } };
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
