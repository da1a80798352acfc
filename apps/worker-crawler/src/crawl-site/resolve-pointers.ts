import type { Pointer } from '@citewell/database';

/** The page that a URL leads to; `failed` when it could not be fetched. */
export type PageBehind = { readonly url: string } | 'failed';

export interface ResolvedPointers {
  /** URLs of canonical and duplicate pages that become pages after all, in order. */
  readonly promoted: readonly string[];
  /** By URL. Those that are promoted or lead to no page are absent. */
  readonly pageBehind: ReadonlyMap<string, PageBehind>;
}

/**
 * Follows redirects, canonical links and duplicates to the page behind them. Where there is none, the last canonical or
 * duplicate page of the chain becomes a page itself, unless a page has its text; of pages that name each other, the
 * first.
 *
 * @param pointers existing pages first, then by order of discovery
 * @param isKept whether a page that was not fetched stays, so that no duplicate takes its place
 * @param limit most pages that may be promoted; the others count as `failed`
 */
export function resolvePointers(
  pointers: readonly Pointer[],
  { isKept, limit }: { readonly isKept: (url: string) => boolean; readonly limit: number },
): ResolvedPointers {
  const byUrl = new Map(pointers.map((pointer) => [pointer.url, pointer]));
  const order = new Map(pointers.map(({ url }, index) => [url, index]));
  const promoted = new Set<string>();
  /** Promoted pages by the hash of their text. */
  const promotedByText = new Map<string | null, string>();
  /** Pages with the text of pointers that would become pages themselves. */
  const ownerOf = new Map<string, string>();

  /** The page behind a pointer, and the pointers on the way: in a circle, those of the circle last. */
  const follow = (start: Pointer): { page: PageBehind | null; chain: Pointer[]; circle: Pointer[] } => {
    const chain: Pointer[] = [];
    for (let pointer = start; ;) {
      const page = promoted.has(pointer.url) ? pointer.url : ownerOf.get(pointer.url);
      if (page !== undefined) return { page: { url: page }, chain, circle: [] };
      if (chain.includes(pointer))
        return { page: 'failed', chain, circle: chain.slice(chain.indexOf(pointer)) };
      chain.push(pointer);
      const next = pointer.targetState === 'pointer' ? byUrl.get(pointer.target) : undefined;
      if (next === undefined) return { page: pageAt(pointer, isKept), chain, circle: [] };
      pointer = next;
    }
  };

  for (const pointer of pointers) {
    const { page, chain, circle } = follow(pointer);
    if (page !== null && page !== 'failed') continue;
    const [first] = circle
      .filter(({ outcome }) => outcome !== 'redirect')
      .toSorted((a, b) => (order.get(a.url) ?? 0) - (order.get(b.url) ?? 0));
    const becomesPage = first ?? chain.findLast(({ outcome }) => outcome !== 'redirect');
    if (becomesPage === undefined) continue;
    const { url, textHash, textOwner } = becomesPage;
    const owner = textOwner ?? promotedByText.get(textHash);
    if (owner !== undefined) {
      ownerOf.set(url, owner);
      continue;
    }
    promoted.add(url);
    promotedByText.set(textHash, url);
  }
  const pageBehind = new Map<string, PageBehind>();
  for (const pointer of pointers) {
    const { page } = promoted.has(pointer.url) ? { page: null } : follow(pointer);
    if (page !== null) pageBehind.set(pointer.url, page);
  }
  for (const url of [...promoted].slice(limit)) pageBehind.set(url, 'failed');
  return { promoted: [...promoted].slice(0, limit), pageBehind };
}

function pageAt(
  { outcome, target, targetState }: Pointer,
  isKept: (url: string) => boolean,
): PageBehind | null {
  switch (targetState) {
    case 'page':
      return { url: target };
    case 'failed':
      return 'failed';
    case 'unfetched':
      if (outcome !== 'duplicate') return 'failed';
      return isKept(target) ? { url: target } : null;
    case 'pointer':
    case 'none':
      return null;
  }
}
