import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** In a process of its own: the test runner takes every unhandled rejection for a failure. */
function run(rejection: string): { status: number | null; stdout: string } {
  const script = `
    import { setImmediate as nextTurn } from 'node:timers/promises';
    import { withEngineErrorsContained } from ${JSON.stringify(import.meta.resolve('./pdf-engine.js'))};
    const result = await withEngineErrorsContained(async () => {
      void Promise.reject(${rejection});
      await nextTurn();
      return 'read';
    });
    await nextTurn();
    console.log(result, process.listenerCount('unhandledRejection'));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

describe('withEngineErrorsContained', () => {
  it('outlives promises that the engine forgets, and listens no longer than it has to', () => {
    const { status, stdout } = run(
      `Object.assign(new Error('Illegal character: 41'), { name: 'FormatError' })`,
    );
    assert.deepEqual([status, stdout], [0, 'read 0\n']);
  });

  it('lets the promises of others end the process', () => {
    assert.notEqual(run(`new TypeError('a mistake of ours')`).status, 0);
  });
});
