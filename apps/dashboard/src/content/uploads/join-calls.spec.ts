import { expect, it } from '@jest/globals';
import { joinCalls } from './join-calls.js';

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
