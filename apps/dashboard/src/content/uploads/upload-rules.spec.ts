import { CitewellError } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import {
  canRetry,
  createLimit,
  duplicateOf,
  isLeftOut,
  joinCalls,
  pathOf,
  replacedName,
  uploadName,
} from './upload-rules.js';

const failed = (code: string, status: number) => new CitewellError(code, 'x', { status });

it.each([
  [new CitewellError('NETWORK', 'x'), true],
  [new CitewellError('TIMEOUT', 'x'), true],
  [failed('USAGE_LIMIT', 402), true],
  [failed('RATE_LIMIT', 429), true],
  [failed('UPSTREAM_UNAVAILABLE', 503), true],
  [failed('STORAGE_FULL', 507), true],
  [new Error('The file has changed on the disk.'), true],
  [failed('INVALID_REQUEST', 400), false],
  [failed('NOT_FOUND', 404), false],
  [failed('PAYLOAD_TOO_LARGE', 413), false],
  [failed('UNSUPPORTED_MEDIA_TYPE', 415), false],
])('%s may be tried again: %s', (error, expected) => {
  expect(canRetry(error)).toBe(expected);
});

it('finds the file that an upload would repeat', () => {
  const conflict = (reason: string, values?: Record<string, string>) =>
    new CitewellError('CONFLICT', 'x', {
      status: 409,
      details: [{ path: 'file', message: 'x', reason, values }],
    });
  expect(duplicateOf(conflict('SAME_NAME', { datasourceId: 'd', name: 'a.txt' }))).toEqual({
    reason: 'SAME_NAME',
    datasourceId: 'd',
  });
  expect(duplicateOf(conflict('SAME_CONTENT'))).toBeNull();
  expect(duplicateOf(conflict('OTHER', { datasourceId: 'd' }))).toBeNull();
  expect(duplicateOf(new CitewellError('CONFLICT', 'x'))).toBeNull();
  expect(duplicateOf(new Error('x'))).toBeNull();
});

it.each([
  ['a.txt', false],
  ['.env', false],
  ['papers/ä b 🦊.txt', false],
  ['papers/.git/config', true],
  ['.git/config', true],
  ['app/node_modules/x/readme.md', true],
  ['__MACOSX/papers/a.txt', true],
  ['photos/Thumbs.db', true],
])('leaves out %s: %s', (path, expected) => {
  expect(isLeftOut(path)).toBe(expected);
});

it('names a file by its path, as far as the path fits', () => {
  const file = (name: string, path?: string) =>
    ({ name, webkitRelativePath: '', ...(path === undefined ? {} : { path }) }) as File;
  expect(pathOf(file('a.txt'))).toBe('a.txt');
  expect(pathOf(file('a.txt', './a.txt'))).toBe('a.txt');
  expect(pathOf(file('a.txt', '/papers/a.txt'))).toBe('papers/a.txt');
  const folder = 'x'.repeat(200);
  expect(uploadName(`${folder}/${folder}/a.txt`)).toBe(`${folder}/a.txt`);
  expect(uploadName(`${'y'.repeat(251)}.txt`)).toHaveLength(255);
  expect(replacedName('handbook/trains.md', 'buses.md')).toBe('handbook/buses.md');
  expect(replacedName('damaged.pdf', 'whole.pdf')).toBe('whole.pdf');
});

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
