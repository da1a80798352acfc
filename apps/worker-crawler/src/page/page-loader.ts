import { detectFileType, isPicture } from '@citewell/documents/file-type';
import { type FetchResult, looksLikeSitemapOrFeed } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { type Fetched, type FetchUrlOptions, UrlFetcher } from '../fetching/url-fetcher.js';
import { PageReader } from '../page-reader/page-reader.js';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';
import { withEmbeddedPage } from './embedded-page.js';
import { HTML, isOtherText, isPage, MAX_PAGE_BYTES, refreshOf } from '../page-reader/page-type.js';
import { PageRendering } from './page-rendering.js';
import type { SiteRendering } from './site-rendering.js';
import type { RenderFailure, RenderMode } from '../rendering/render.protocol.js';

/** An HTML page, as its server or a browser shows it. */
export interface HtmlPage {
  readonly kind: 'html';
  readonly answer: FetchResult;
  readonly bytes: Uint8Array;
  readonly page: ReadPage;
}

/** What a URL answers with, read as far as classifying needs. */
export type PageResponse =
  | HtmlPage
  /** @param contentType detected from content and name; null for a type that is not supported */
  | {
      readonly kind: 'file';
      readonly answer: FetchResult;
      readonly bytes: Uint8Array;
      readonly contentType: string | null;
    }
  /** A sitemap or feed, which is not a page. */
  | { readonly kind: 'sitemap' }
  /** A page that has no text without a browser, in which its crawl has used up its time. */
  | { readonly kind: 'not-rendered' }
  /** @param renderFailure if the page was fetched, and a browser failed on it */
  | (Extract<Fetched, { kind: 'error' }> & { readonly renderFailure?: RenderFailure })
  | Extract<Fetched, { kind: 'unchanged' | 'redirect' | 'forbidden' }>;

/** A response with content that may become a page. */
export type ContentResponse = Extract<PageResponse, { kind: 'html' | 'file' }>;

export interface LoadOptions extends Omit<FetchUrlOptions, 'maxBytes'> {
  readonly render: RenderMode;
  /** See {@link SiteRendering}. */
  readonly rendering?: SiteRendering;
  /** Whether the links of the page are followed. Default: true. */
  readonly hasFollowedLinks?: boolean;
  /** Whether content of the page answers queries and would go on doing so. */
  readonly answers: boolean;
  /** Whether the page at an address may be read as part of this one. Default: always. */
  readonly allows?: (url: string) => boolean;
}

/**
 * Loads a page: one request, one parse, and a browser where the page needs one. A page that only embeds another page is
 * read with it.
 */
@Injectable()
export class PageLoader {
  constructor(
    @Inject(UrlFetcher) private readonly fetcher: Pick<UrlFetcher, 'fetch'>,
    @Inject(PageReader) private readonly reader: Pick<PageReader, 'read'>,
    @Inject(PageRendering) private readonly rendering: Pick<PageRendering, 'open'>,
  ) {}

  /**
   * @throws HostBusyError; IngestionError of the reader, or `RENDER_UNAVAILABLE`; the signal's reason
   */
  async load(
    url: string,
    { render, rendering, hasFollowedLinks = true, answers, allows = () => true, ...request }: LoadOptions,
  ): Promise<PageResponse> {
    const fetched = await this.fetcher.fetch(url, { ...request, maxBytes: MAX_PAGE_BYTES });
    if (fetched.kind !== 'content') return fetched;
    const { answer, bytes } = fetched;
    if (looksLikeSitemapOrFeed(bytes, answer.contentType) !== null) return { kind: 'sitemap' };
    // Some servers send pages with a generic type.
    const found = isPage(answer.contentType) ? HTML : await fileTypeOf(url, answer, bytes);
    if (found !== HTML) return { kind: 'file', answer, bytes, contentType: found };
    const contentType = answer.headers['content-type'] ?? HTML;
    const page = await this.reader.read({ bytes, url, contentType, ...refreshOf(answer) });
    const { signal, session } = request;
    const fetchedPage: HtmlPage = { kind: 'html', answer, bytes, page };
    const opened = await this.rendering.open(fetchedPage, {
      url,
      mode: render,
      answers,
      hasFollowedLinks,
      signal,
      ...(rendering ? { site: rendering } : {}),
      ...(session ? { session } : {}),
    });
    if (opened.kind !== 'html') return opened;
    const { fetcher, reader } = this;
    return withEmbeddedPage(
      opened,
      url,
      { ...request, maxBytes: MAX_PAGE_BYTES },
      { fetcher, reader, allows },
    );
  }
}

/** The content type under which a page is stored and parsed. */
export function contentTypeOf(content: ContentResponse): string {
  return content.kind === 'html' ? HTML : (content.contentType ?? HTML);
}

async function fileTypeOf(url: string, answer: FetchResult, bytes: Uint8Array): Promise<string | null> {
  if (bytes.length === 0) return null;
  const found = await detectFileType(
    { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) },
    { fileName: fileNameOf(url), declaredMimeType: answer.contentType ?? '' },
  );
  // Sites link to many pictures that show no text.
  if (found === null || isPicture(found)) return null;
  return isOtherText(answer.contentType, found) ? null : found;
}

function fileNameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
