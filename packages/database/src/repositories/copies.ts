/** A page of a site and the bytes that it says. */
export interface SaidPage {
  readonly url: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** What it points to although that is no page. */
  readonly target: string | null;
  /** Links followed from a seed. */
  readonly depth: number;
  /** Whether no crawl before this one has brought it in. */
  readonly isNew: boolean;
}

/**
 * Orders pages so that, of several with the same bytes, the first is the page and the others are copies: what was a page
 * before this crawl, then what is nearest to the start, then the first by its address. It does not matter in which order
 * they are fetched.
 */
export function byPlace(a: Place, b: Place): number {
  if (a.isNew !== b.isNew) return a.isNew ? 1 : -1;
  return a.depth - b.depth || (a.url < b.url ? -1 : 1);
}

/** What a page is a copy of; undefined of one that is none. What points to a page is not what that is a copy of. */
export function originalOf<Page extends SaidPage>(page: SaidPage, others: readonly Page[]): Page | undefined {
  const [first] = others
    .filter(({ hash, target }) => hash === page.hash && target !== page.url)
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

type Place = Pick<SaidPage, 'url' | 'depth' | 'isNew'>;
