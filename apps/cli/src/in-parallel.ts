/** Calls `work` for each item, for some of them at the same time. Rejects with the first error, when all that run have ended. */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let hasFailed = false;
  const next = async (): Promise<void> => {
    try {
      while (!hasFailed) {
        const { done, value } = await queue.next();
        if (done === true) return;
        await work(value);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: limit }, next));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
}
