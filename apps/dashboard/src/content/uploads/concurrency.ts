/**
 * Runs asynchronous work in the order of the calls, at most `parallel` at a time.
 *
 * @returns a function that waits for its turn and then calls `work`
 */
export function createLimit(parallel: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Runs work once for all calls that come while it is running. Each call waits for a run that began after it.
 *
 * @param work its failures end the waiting, and are not reported
 */
export function joinCalls(work: () => Promise<unknown>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= last.then(async () => {
      next = null;
      try {
        await work();
      } catch {
        // The caller only waits.
      }
    });
    last = next;
    return next;
  };
}
