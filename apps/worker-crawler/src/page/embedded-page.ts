import { type FetchResult, readRobotsDirectives } from '@citewell/web';
import type { Fetched, FetchUrlOptions, UrlFetcher } from '../fetching/url-fetcher.js';
import type { PageReader } from '../page-reader/page-reader.js';
import { HTML, isPage } from '../page-reader/page-type.js';
import type { HtmlPage, PageResponse } from './page-loader.js';

const MAX_REDIRECTS = 3;
/** Wins over whatever the page says of its encoding. */
const UTF8_BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface EmbeddingPorts {
  readonly fetcher: Pick<UrlFetcher, 'fetch'>;
  readonly reader: Pick<PageReader, 'read'>;
  /** Whether an address may be read as part of a page. */
  readonly allows: (url: string) => boolean;
}

/**
 * Adds the page that a page embeds and whose text is all that it shows, see `PageFacts.embedded`. A page whose embedded page
 * cannot be had now is an error, so that its text is not lost; one whose embedded page does not exist, or is left out of the
 * site, is as it is.
 *
 * @throws HostBusyError; IngestionError of the reader; the signal's reason
 */
export async function withEmbeddedPage(
  page: HtmlPage,
  url: string,
  request: FetchUrlOptions,
  ports: EmbeddingPorts,
): Promise<PageResponse> {
  const { embedded } = page.page.facts;
  if (embedded === null || !ports.allows(embedded.url)) return page;
  const found = await fetchPage(embedded.url, request, ports);
  if (found.kind === 'error' && found.error.kind !== 'permanent') return found;
  if (found.kind !== 'content' || !isPage(found.answer.contentType)) return page;
  const contentType = contentTypeOf(found.answer);
  const part = await ports.reader.read({ bytes: found.bytes, url: found.answer.url, contentType });
  const { noindex } = readRobotsDirectives(found.answer.robotsTags, '');
  if (part.document === null || part.facts.robots.noindex || noindex) return page;
  const whole = await ports.reader.read({
    bytes: page.bytes,
    url,
    contentType: contentTypeOf(page.answer),
    embedded: { bytes: found.bytes, contentType, url: part.facts.baseUrl, offset: embedded.offset },
  });
  return { ...withoutValidators(page), bytes: utf8Page(whole.html ?? ''), page: whole };
}

/** A page whose text is not only that of the response. */
export function withoutValidators(page: HtmlPage): HtmlPage {
  return { ...page, answer: { ...page.answer, etag: null, lastModified: null } };
}

/** The bytes of a page. */
export function utf8Page(html: string): Uint8Array {
  return Buffer.concat([UTF8_BYTE_ORDER_MARK, Buffer.from(html.toWellFormed())]);
}

async function fetchPage(
  url: string,
  request: FetchUrlOptions,
  { fetcher, allows }: Pick<EmbeddingPorts, 'fetcher' | 'allows'>,
): Promise<Fetched> {
  let fetched = await fetcher.fetch(url, { ...request, validators: null });
  for (let hops = 0; fetched.kind === 'redirect' && hops < MAX_REDIRECTS; hops += 1) {
    const { target } = fetched;
    if (target === null || new URL(target).host !== new URL(url).host || !allows(target)) break;
    fetched = await fetcher.fetch(target, { ...request, validators: null });
  }
  return fetched;
}

function contentTypeOf({ headers }: FetchResult): string {
  return headers['content-type'] ?? HTML;
}
