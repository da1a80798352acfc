import { CitewellError } from '../citewell-error.js';

/** Which part of a list. */
export interface PageParameters {
  /** Items of one page, 1..100, default 50. */
  limit?: number | undefined;
  /** Where to begin: the `nextCursor` of an earlier page. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * A list, newest first, fetched page by page as it is walked:
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

  /** The first page alone. */
  first(): Promise<Page<Item>> {
    return this.load(this.start);
  }

  /** Page by page. @throws {@link CitewellError} `INVALID_RESPONSE` when a page leads to itself */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.start;
    for (;;) {
      const page = await this.load(cursor);
      yield page;
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor)
        throw new CitewellError('INVALID_RESPONSE', 'A page of the list names itself as the next one.');
      cursor = page.nextCursor;
    }
  }

  /** Item by item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/**
 * The cursor in the `rel="next"` link of a `Link` header (RFC 8288), or null. Only the cursor is taken: the address
 * in the link is the server's own, and behind a proxy it may be one that cannot be reached, or another host's.
 */
export function nextCursor(header: string | null): string | null {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (target === undefined || !/;\s*rel\s*=\s*(?:next\b|"[^"]*\bnext\b[^"]*")/i.test(parameters ?? ''))
      continue;
    const query = target.split('#', 1)[0]?.split('?')[1];
    const cursor = new URLSearchParams(query).get('cursor');
    if (cursor) return cursor;
  }
  return null;
}
