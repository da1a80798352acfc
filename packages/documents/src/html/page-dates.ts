import type { PageHead } from './page-head.js';

/** Dates that a page gives, as ISO 8601 in UTC; `null` when it gives none that can be read. */
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
      ...structured(head, 'datePublished'),
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
      ...structured(head, 'dateModified'),
      ...times(head, /\bdateModified\b/),
    ]),
  };
}

function metas(head: PageHead, ...names: readonly string[]): string[] {
  return names.flatMap((name) => head.meta(name) ?? []);
}

/** The whole of JSON-LD is a language of its own; a date under its plain name is all that is wanted of it. */
function structured(head: PageHead, name: string): string[] {
  const pattern = new RegExp(`"${name}"\\s*:\\s*"([^"]{4,40})"`);
  return head.structuredData.flatMap((text) => pattern.exec(text)?.[1] ?? []);
}

function times(head: PageHead, property: RegExp): string[] {
  return head.times
    .filter((time) => property.test(time.attribute('itemprop') ?? ''))
    .flatMap((time) => time.attribute('datetime') ?? []);
}

function firstDate(candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    // A year at least, so that `5` is no date; the platform reads ISO 8601 and RFC 2822.
    if (!/\d{4}/.test(candidate)) continue;
    const date = new Date(candidate.trim());
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
  return null;
}
