import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { compareNames, PAGE_DOCUMENTS } from '../inventory-pages.js';
import type { InventoryPage, SkippedDocument, SourceDocument, SourceGroup } from '../source.js';

/** A part of a wiki that is listed at once: the path of a page needs its parents, which may be listed after it. */
export interface WikiSection {
  readonly documents: readonly SourceDocument[];
  readonly skipped: readonly SkippedDocument[];
  readonly groups: readonly SourceGroup[];
}

/** Where an inventory goes on. */
const cursorSchema = z.object({
  /** Identifies one inventory, so that what was listed for it is not used for another one. */
  listing: z.string(),
  section: z.string(),
  /** The last id that was given of the section. */
  after: z.string(),
});

const MAX_KEPT = 2;
/** Sections whose inventory is in progress. Another process lists the section again. */
const kept = new Map<string, WikiSection>();

/**
 * The inventory of a wiki: its sections, each in the order of ids.
 *
 * @param sections their names
 */
export async function* inventoryOf(
  cursor: string | null,
  sections: readonly string[],
  load: (section: string) => Promise<WikiSection>,
): AsyncGenerator<InventoryPage> {
  const start = cursor === null ? null : cursorSchema.parse(JSON.parse(cursor));
  const listing = start?.listing ?? randomUUID();
  const names = sections.toSorted(compareNames).filter((name) => name >= (start?.section ?? ''));
  if (names.length === 0) yield { documents: [], skipped: [], cursor: null };
  for (const [index, section] of names.entries()) {
    const key = `${listing} ${section}`;
    const listed = kept.get(key) ?? (await load(section));
    keep(key, listed);
    const after = start?.section === section ? start.after : '';
    const found = [...listed.documents, ...listed.skipped]
      .filter(({ id }) => id > after)
      .toSorted((one, other) => compareNames(one.id, other.id));
    for (let at = 0, isLast = false; !isLast; at += PAGE_DOCUMENTS) {
      const part = found.slice(at, at + PAGE_DOCUMENTS);
      isLast = at + PAGE_DOCUMENTS >= found.length;
      if (isLast) kept.delete(key);
      const next = isLast ? names[index + 1] : section;
      yield {
        documents: part.filter((one) => !('reason' in one)) as SourceDocument[],
        skipped: part.filter((one) => 'reason' in one),
        groups: at === 0 ? listed.groups : [],
        cursor:
          next === undefined
            ? null
            : JSON.stringify({ listing, section: next, after: isLast ? '' : (part.at(-1)?.id ?? '') }),
      };
    }
  }
}

function keep(key: string, section: WikiSection): void {
  kept.set(key, section);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
