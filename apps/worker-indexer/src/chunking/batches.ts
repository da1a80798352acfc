/** Groups what an iterable yields, lazily: every array has `size` items but the last, which may have fewer. */
export function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
