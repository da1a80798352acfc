import type { PageHead } from './page-head.js';

/** The dates that a page declares, as ISO 8601 in UTC; `null` when there is no valid one. */
export interface PageDates {
  readonly publishedAt: string | null;
  readonly modifiedAt: string | null;
}

export function pageDates(head: PageHead): PageDates {
  return {
    publishedAt: firstDate([
      ...metas(
        head,
        'article:published_time',
        'datepublished',
        'og:published_time',
        'dcterms.created',
        'dc.date.issued',
        'date',
        'pubdate',
        'parsely-pub-date',
      ),
      ...structured(head, /"datePublished"\s*:\s*"([^"]{4,40})"/),
      ...times(head, /\bdatePublished\b/),
    ]),
    modifiedAt: firstDate([
      ...metas(
        head,
        'article:modified_time',
        'datemodified',
        'og:updated_time',
        'dcterms.modified',
        'last-modified',
        'lastmod',
        'revised',
      ),
      ...structured(head, /"dateModified"\s*:\s*"([^"]{4,40})"/),
      ...times(head, /\bdateModified\b/),
    ]),
  };
}

function metas(head: PageHead, ...names: readonly string[]): string[] {
  return names.flatMap((name) => head.meta(name) ?? []);
}

/** Finds a date in JSON-LD by its property name, without parsing JSON-LD. */
function structured(head: PageHead, pattern: RegExp): string[] {
  return head.structuredData.flatMap((text) => pattern.exec(text)?.[1] ?? []);
}

function times(head: PageHead, property: RegExp): string[] {
  return head.times
    .filter((time) => property.test(time.attribute('itemprop') ?? ''))
    .flatMap((time) => time.attribute('datetime') ?? []);
}

function firstDate(candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    // `Date` parses ISO 8601 and RFC 2822, but also accepts `5`: require a year.
    if (!/\d{4}/.test(candidate)) continue;
    const date = new Date(candidate.trim());
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
  return null;
}
