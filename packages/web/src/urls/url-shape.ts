/** Up to this many parameters, variants are entries (`?id=1`, `?id=2`); beyond, they are combinations. */
const MAX_ENTRY_PARAMETERS = 1;
const MAX_ENTRIES = 10_000;
const MAX_COMBINATIONS = 500;
const MAX_SHAPES = 50_000;

/**
 * What URLs of one kind have in common: the path with its numbers and identifiers as `#`, and the sorted names of the
 * parameters. `/shop/12/page-3?size=9&colour=red` has the shape `/shop/#/page-#?colour&size`.
 */
export function urlShape(url: URL): string {
  const path = url.pathname
    .split('/')
    .map((segment) => (/^(?=.*\d)[\da-f-]{16,}$/i.test(segment) ? '#' : segment.replace(/\d+/g, '#')))
    .join('/');
  const names = [...new Set(url.searchParams.keys())].sort();
  return `${url.host}${path}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

export interface ShapeBudgetOptions {
  /** Most URLs of one shape with at most one parameter: articles, topics, pages of a list. Default 10,000. */
  maxEntries?: number;
  /** Most URLs of one shape with several parameters: filters of a shop, sort orders. Default 500. */
  maxCombinations?: number;
}

/**
 * Bounds how many URLs of one shape a crawl takes up: what a generator of addresses makes differs in numbers and
 * values only. It forgets the oldest of more than 50,000 shapes.
 */
export class ShapeBudget {
  private readonly taken = new Map<string, number>();
  private readonly maxEntries: number;
  private readonly maxCombinations: number;

  constructor({ maxEntries = MAX_ENTRIES, maxCombinations = MAX_COMBINATIONS }: ShapeBudgetOptions = {}) {
    this.maxEntries = maxEntries;
    this.maxCombinations = maxCombinations;
  }

  /**
   * Takes up a URL that was not seen before, if its shape has room. A crawl that goes on after a restart offers the
   * URLs of its frontier again.
   */
  admits(url: URL): boolean {
    const shape = urlShape(url);
    const taken = this.taken.get(shape) ?? 0;
    const parameters = new Set(url.searchParams.keys()).size;
    if (taken >= (parameters > MAX_ENTRY_PARAMETERS ? this.maxCombinations : this.maxEntries)) return false;
    // A shape without numbers and parameters has one URL only, so there is nothing to count.
    if (parameters > 0 || shape.includes('#')) this.taken.set(shape, taken + 1);
    if (this.taken.size > MAX_SHAPES) this.forgetOldest();
    return true;
  }

  private forgetOldest(): void {
    const [oldest] = this.taken.keys();
    if (oldest !== undefined) this.taken.delete(oldest);
  }
}
