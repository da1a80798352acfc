/** A page of a site and the bytes that it says. */
export interface SaidPage {
  readonly url: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** What it points to although that is no page. */
  readonly target: string | null;
  readonly since: PageSince;
  /** Whether it could not be fetched by this crawl, and serves on. */
  readonly isFailing: boolean;
}

/**
 * Since when a page says what it says: `kept`, since a crawl before this one; `changed`, it was a page before, and has
 * new content; `new`, this crawl has brought it in.
 */
export type PageSince = 'kept' | 'changed' | 'new';

const BY_AGE: readonly PageSince[] = ['kept', 'changed', 'new'];

/**
 * Orders pages so that, of several with the same bytes, the first is the page and the others are copies: what has said
 * so for longest, then the one with the shortest address, then the first by it. Nothing of that depends on the order in
 * which they are found and fetched.
 */
export function byPlace(a: Place, b: Place): number {
  return (
    BY_AGE.indexOf(a.since) - BY_AGE.indexOf(b.since) ||
    a.url.length - b.url.length ||
    (a.url < b.url ? -1 : 1)
  );
}

/**
 * What a page is a copy of; undefined of one that is none. What points to a page is not what that is a copy of, and what
 * was a page before does not go for one that cannot be fetched.
 */
export function originalOf<Page extends SaidPage>(page: SaidPage, others: readonly Page[]): Page | undefined {
  const [first] = others
    .filter(({ hash, target }) => hash === page.hash && target !== page.url)
    .filter(({ isFailing }) => !isFailing || page.since === 'new')
    .toSorted(byPlace);
  return first !== undefined && byPlace(first, page) < 0 ? first : undefined;
}

/** Which of some pages are copies, and each of which page that is none. */
export function copiesAmong<Page extends SaidPage>(pages: readonly Page[]): { copy: Page; of: Page }[] {
  const originals: Page[] = [];
  const copies: { copy: Page; of: Page }[] = [];
  for (const page of pages.toSorted(byPlace)) {
    const of = originalOf(page, originals);
    if (of === undefined) originals.push(page);
    else copies.push({ copy: page, of });
  }
  return copies;
}

type Place = Pick<SaidPage, 'url' | 'since'>;
