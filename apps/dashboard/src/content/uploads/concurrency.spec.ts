import { expect, it } from '@jest/globals';
import { createLimit, joinCalls } from './concurrency.js';

it('createLimit runs work in order and not more at a time, also after a failure', async () => {
  const inTurn = createLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((index) =>
      inTurn(async () => {
        started.push(index);
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 0));
        running -= 1;
        if (index === 1) throw new Error('failed');
        return index;
      }),
    ),
  );
  expect({ started, most }).toEqual({ started: [0, 1, 2, 3, 4], most: 2 });
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
});

it('joins the calls that come during a run', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = joinCalls(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  const first = call();
  await turn();
  const joined = Promise.all([call(), call(), call()]);
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await turn();
  expect(runs).toHaveLength(2);
  // A failure ends the waiting, too.
  runs[1]?.reject(new Error('x'));
  await joined;
  const last = call();
  await turn();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve();
  await last;
});
