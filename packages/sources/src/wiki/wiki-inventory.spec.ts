import { describe, expect, it } from '@jest/globals';
import type { InventoryPage, SourceDocument } from '../source.js';
import { inventoryOf, type WikiSection } from './wiki-inventory.js';

function documentOf(id: string): SourceDocument {
  return { id, path: id, version: '1', bytes: null, modifiedAt: null, access: 'library' };
}
const ids = Array.from({ length: 1_200 }, (_, n) => `a${String(n).padStart(4, '0')}`);
const SECTIONS: Readonly<Record<string, string[]>> = { a: ids.toReversed(), b: ['b1'], c: [] };
let loads: string[] = [];
const load = async (name: string): Promise<WikiSection> => {
  loads.push(name);
  const documents = (SECTIONS[name] ?? []).map(documentOf);
  return { documents, skipped: [], groups: [{ name, people: [] }] };
};
async function pagesFrom(
  cursor: string | null,
  names = ['c', 'a', 'b'],
  take = 99,
): Promise<InventoryPage[]> {
  loads = [];
  const pages: InventoryPage[] = [];
  for await (const page of inventoryOf(cursor, names, load)) if (pages.push(page) === take) break;
  return pages;
}
const idsOf = (pages: readonly InventoryPage[]): string[] =>
  pages.flatMap(({ documents }) => documents.map(({ id }) => id));

describe('the inventory of a wiki', () => {
  it('has each section in the order of ids, its groups once, and an end', async () => {
    const pages = await pagesFrom(null);
    expect(pages.map(({ documents, groups }) => [documents.length, groups?.length])).toEqual([
      [500, 1],
      [500, 0],
      [200, 0],
      [1, 1],
      [0, 1],
    ]);
    expect(idsOf(pages)).toEqual([...ids, 'b1']);
    expect(pages.map(({ cursor }) => cursor === null)).toEqual([false, false, false, false, true]);
    expect(await pagesFrom(null, [])).toEqual([{ documents: [], skipped: [], cursor: null }]);
  });

  it('goes on after each page, in the same process without listing the section again', async () => {
    const [first] = await pagesFrom(null, undefined, 1);
    const cursor = first?.cursor ?? '';
    const rest = await pagesFrom(cursor);
    expect([idsOf(rest), loads]).toEqual([
      [...ids.slice(500), 'b1'],
      ['b', 'c'],
    ]);
    const elsewhere = JSON.stringify({ ...JSON.parse(cursor), listing: 'of another process' });
    const again = await pagesFrom(elsewhere);
    expect([idsOf(again), loads, again[0]?.groups]).toEqual([
      [...ids.slice(500), 'b1'],
      ['a', 'b', 'c'],
      [{ name: 'a', people: [] }],
    ]);
    expect(idsOf(await pagesFrom(elsewhere, ['b', 'c']))).toEqual(['b1']);
  });
});
