import { CitewellError } from '../citewell-error.js';

/** The start and the page size of a list. */
export interface PageParameters {
  /** Items per page, 1 to 100, default 50. */
  limit?: number | undefined;
  /** Where to start: the `nextCursor` of an earlier page. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * A list, newest first. Its pages are fetched during the iteration:
 *
 * ```ts
 * for await (const agent of client.agents.list()) console.log(agent.name);
 * const { items } = await client.agents.list({ limit: 10 }).first();
 * ```
 */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly load: (cursor: string | undefined) => Promise<Page<Item>>,
    private readonly start: string | undefined,
  ) {}

  /** Fetches only the first page. */
  first(): Promise<Page<Item>> {
    return this.load(this.start);
  }

  /**
   * Iterates over pages.
   *
   * @throws {@link CitewellError} `INVALID_RESPONSE` if a page links to itself as the next page
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.start;
    for (;;) {
      const page = await this.load(cursor);
      yield page;
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor)
        throw new CitewellError('INVALID_RESPONSE', 'A page of the list links to itself as the next page.');
      cursor = page.nextCursor;
    }
  }

  /** Iterates over items. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/**
 * Returns the cursor in the `rel="next"` link of a `Link` header (RFC 8288), or null. The rest of the link is
 * ignored: behind a proxy, the client may not be able to reach the address that the server uses for itself.
 */
export function nextCursor(header: string | null): string | null {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (target === undefined || !/;\s*rel\s*=[^;]*\bnext\b/i.test(parameters ?? '')) continue;
    const query = target.split('#', 1)[0]?.split('?')[1];
    const cursor = new URLSearchParams(query).get('cursor');
    if (cursor) return cursor;
  }
  return null;
}
