/** Calls `work` for each item, for some of them at the same time. Rejects with the first error, when all that run have ended. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let hasFailed = false;
  const next = async (): Promise<void> => {
    for (let { done, value } = queue.next(); !done && !hasFailed; { done, value } = queue.next())
      await work(value as Item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
  };
  const workers = await Promise.allSettled(Array.from({ length: limit }, next));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
}
