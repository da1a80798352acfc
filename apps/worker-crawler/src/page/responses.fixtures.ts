import type { FrontierUrl, ServingPage } from '@citewell/database';
import type { PageFacts } from '@citewell/documents/web-page';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';
import type { HtmlPage } from './page-loader.js';

export const PAGE_URL = 'https://site.example/guide/intro';

/** A URL of the frontier, found by a link, that is new. */
export function frontierUrl(fields: Partial<FrontierUrl> = {}): FrontierUrl {
  return {
    url: PAGE_URL,
    kind: 'page',
    origin: 'link',
    depth: 1,
    hops: 0,
    attempts: 0,
    hasOutlinks: false,
    pageId: null,
    serving: null,
    ...fields,
  };
}

export function servingPage(fields: Partial<ServingPage> = {}): ServingPage {
  return {
    validators: null,
    contentKey: 'key',
    sha256: null,
    contentType: 'text/html',
    textHash: null,
    fingerprint: null,
    ...fields,
  };
}

/** What was read from a page. @param text empty for a page without text */
export function readPage(text: string, facts: Partial<PageFacts> = {}): ReadPage {
  const document = {
    text: Buffer.from(text, 'utf16le'),
    outline: Buffer.from('[]'),
    characters: text.length,
    textHash: text,
    leftOut: {},
    warning: null,
    tables: null,
  };
  return {
    document: text === '' ? null : document,
    facts: {
      baseUrl: PAGE_URL,
      canonicalUrl: null,
      robots: { noindex: false, nofollow: false },
      refresh: null,
      links: [],
      linksTruncated: false,
      embedded: null,
      needsRendering: null,
      isShell: false,
      scripts: [],
      publishedAt: null,
      modifiedAt: null,
      ...facts,
    },
  };
}

/** A page as it is loaded. */
export function htmlPage(
  text: string,
  facts: Partial<PageFacts> = {},
  answer: Parameters<typeof fetchResult>[1] = {},
): HtmlPage {
  return {
    kind: 'html',
    answer: fetchResult(PAGE_URL, answer),
    bytes: Buffer.from(`<p>${text}</p>`),
    page: readPage(text, facts),
  };
}
