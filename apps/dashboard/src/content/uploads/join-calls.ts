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
