import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** Runs in a separate process, because the test runner reports every unhandled rejection as a failure. */
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
  it('ignores unhandled rejections of the engine and removes its listener', () => {
    const { status, stdout } = run(
      `Object.assign(new Error('Illegal character: 41'), { name: 'FormatError' })`,
    );
    assert.deepEqual([status, stdout], [0, 'read 0\n']);
  });

  it('lets other unhandled rejections end the process', () => {
    assert.notEqual(run(`new TypeError('a bug')`).status, 0);
  });
});
