import { INGESTION_ERRORS } from './ingestion-errors.js';

/** Why a crawl does not read a URL as a page, or a sitemap completely. Other reasons are codes of ingestion errors. */
export const URL_REASONS = {
  EMPTY: 'It has no text.',
  EXCLUDED: 'It is left out by include and exclude.',
  GONE: 'It does not exist any more (404 or 410).',
  NESTED_TOO_DEEP: 'The sitemap is too far below the first one.',
  NOINDEX: 'It asks not to be indexed (noindex).',
  NOT_A_PAGE: 'It is a sitemap or a feed.',
  NOT_A_SITEMAP: 'It is not a sitemap.',
  NOT_FOUND_PAGE: 'Its server answers with the page that it shows for addresses that do not exist.',
  REDIRECT: 'It redirects to another site.',
  REPEATED: 'Many addresses before it have the same text.',
  ROBOTS: 'The robots.txt of the site disallows it.',
  TRUNCATED: 'The sitemap ends early.',
  UNSUPPORTED: 'It is a file of a type that is not supported.',
} as const;
export type UrlReason = keyof typeof URL_REASONS;

/** The sentence for the reason of a crawl's outcome; null for an unknown one. */
export function urlReasonSentence(reason: string): string | null {
  // `hasOwn` has checked the key.
  if (Object.hasOwn(URL_REASONS, reason)) return URL_REASONS[reason as UrlReason];
  return Object.entries(INGESTION_ERRORS).find(([code]) => code === reason)?.[1].sentence ?? null;
}
