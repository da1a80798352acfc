import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

/** Runs in a separate process, because the test runner reports every unhandled rejection as a failure. */
function run(rejection: string): { status: number | null; stdout: string } {
  const script = `
    import { setImmediate as nextTurn } from 'node:timers/promises';
    import { openPdf, withEngineErrorsContained } from ${JSON.stringify(import.meta.resolve('./pdf-engine.js'))};
    const task = await openPdf(new Uint8Array(1));
    const ofEngine = await task.promise.catch((error) => error);
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
    const { status, stdout } = run('ofEngine');
    expect([status, stdout]).toEqual([0, 'read 0\n']);
  });

  it('lets other unhandled rejections end the process', () => {
    expect(run(`new TypeError('a bug')`).status).not.toBe(0);
  });
});
