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
