import { metadataSchema } from '@citewell/contracts/schemas';
import { newId } from '@citewell/database';
import type { PlacedFile } from '@citewell/documents';
import { expect, it } from '@jest/globals';
import { type ContentFile, type LinkedDocument, metadataOf } from './archive-contents.js';

/** The metadata of a document with these links. */
function metadataWith(
  links: readonly (LinkedDocument | undefined)[],
  properties: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  // Only these properties are read.
  const targets = links.map(() => ({}) as PlacedFile);
  const byTarget = new Map(targets.map((target, index) => [target, links[index]]));
  const document = { name: 'Ship', folder: 'Manual', links: targets, properties };
  const file = { path: 'ship.md', document } as unknown as ContentFile;
  return metadataOf(file, (target) => byTarget.get(target));
}

it.each([
  ['x', {}],
  ['"', { tags: ['sea'] }],
  ['🚢', { links: ['of the author'] }],
])('metadata has as many of the first links as it can hold, with names of %s', (sign, properties) => {
  const counts = new Set<number>();
  for (let length = 1; length <= 120; length++) {
    const links = Array.from({ length: 60 }, (_, n) => ({
      datasourceId: newId(),
      name: sign.repeat(length + n),
    }));
    const metadata = { ...properties, path: 'Manual/Ship' };
    const fits = (count: number) =>
      metadataSchema.safeParse({ ...metadata, links: links.slice(0, count) }).success;
    const count = links.findIndex((_, index) => !fits(index + 1));
    expect(metadataWith([undefined, ...links], properties)).toEqual({
      ...metadata,
      links: links.slice(0, count),
    });
    counts.add(count);
  }
  expect(counts.size).toBeGreaterThan(10);
  expect(metadataWith([{ datasourceId: newId(), name: sign.repeat(5_000) }, undefined], properties)).toEqual({
    ...properties,
    path: 'Manual/Ship',
  });
});
