import type { FrontierUrl } from '@citewell/database';
import { isFingerprintCurrent } from '@citewell/ingestion';
import type { FetchResult } from '@citewell/web';
import { sha256 } from './sha256.js';

/** Whether what serves was made as this release would make it; else it is read anew, though the page has not changed. */
export function isCurrent({ serving }: FrontierUrl): boolean {
  return serving !== null && isFingerprintCurrent({ ...serving, sha256: serving.contentHash });
}

/** What serves, as if nothing were known of how it was sent: so that what is sent is looked at, though it be the same. */
export function lookedAtAnew(url: FrontierUrl): FrontierUrl {
  return { ...url, serving: url.serving && { ...url.serving, validators: null, contentHash: null } };
}

/** The same where another release has read it: its text says nothing of what this one would read. */
export function readAnew(url: FrontierUrl): FrontierUrl {
  const { serving } = lookedAtAnew(url);
  return { ...url, serving: serving && { ...serving, textHash: null } };
}

/**
 * Whether the server may be asked whether the page has changed. Not where a sitemap says so: caches on the way may not
 * know yet. Nor where it failed to answer that: some can only send the page.
 */
export function mayCompare({ row: { lastmod, confirmedAt, attempts }, serving }: FrontierUrl): boolean {
  if (attempts > 0 || serving === null) return attempts === 0;
  const { fetchedAt } = serving;
  const knownAt = confirmedAt !== null && confirmedAt > fetchedAt ? confirmedAt : fetchedAt;
  const isSaidToBeNew = lastmod !== null && lastmod > knownAt && lastmod.getTime() <= Date.now();
  return !isSaidToBeNew;
}

/** The same bytes, from a server that does not compare; and nothing beside them that would change what they mean. */
export function saysNothingNew({ serving }: FrontierUrl, answer: FetchResult, bytes: Uint8Array): boolean {
  return (
    serving?.contentHash !== undefined &&
    answer.robotsTags.length === 0 &&
    answer.canonicalUrl === null &&
    sha256(bytes) === serving.contentHash
  );
}
