import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';

/** Runs a script in a process whose `stop` prints a line. @returns its exit code and output */
async function run(script: string, { stop = 'console.log("stopped")', timeoutMs = 30_000 } = {}) {
  const from = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const source = `
    import { createLogger } from ${from('./logger.js')};
    import { stopOnUncaughtErrors } from ${from('./stop-on-uncaught-errors.js')};
    const logger = createLogger('test', 'info');
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    stopOnUncaughtErrors({ logger, timeoutMs: ${timeoutMs}, stop: async () => { ${stop}; } });
    setInterval(() => undefined, 1000);
    ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await exited, output, errors };
}

describe('stopOnUncaughtErrors', () => {
  it.each([
    ['an exception', `setTimeout(() => { throw new Error('broken'); });`, '"origin":"uncaughtException"'],
    ['a rejection', `Promise.reject(new Error('broken'));`, '"origin":"unhandledRejection"'],
    [
      'an event without a listener',
      `(await import('node:events')).EventEmitter.prototype.emit('error', new Error('broken'));`,
      'broken',
    ],
    ['an assertion', `(await import('node:assert')).default(false, 'broken');`, 'ERR_ASSERTION'],
    [
      'its causes',
      `setTimeout(() => { throw new Error('outer', { cause: new Error('broken') }); });`,
      'Error: broken',
    ],
    ['undefined', `Promise.reject(undefined);`, 'ERR_UNHANDLED_REJECTION'],
    ['an object without a prototype', `setTimeout(() => { throw Object.create(null); });`, '"type":"object"'],
    ['a symbol', `setTimeout(() => { throw Symbol('x'); });`, '"type":"symbol"'],
  ])('logs %s, stops, and exits with code 1', async (_, script, logged) => {
    const { exit, output, errors } = await run(script);
    expect(output).toContain(logged);
    expect(output).toContain('"level":"fatal"');
    expect(output).toMatch(/^stopped$/m);
    expect({ exit, errors }).toEqual({ exit: [1, null], errors: '' });
  });

  it.each([
    ['a password in a URL', 'postgres://citewell:hunter2@127.0.0.1/x', 'hunter2'],
    ['a bearer token', 'authorization: Bearer abc.def', 'abc.def'],
    ['a key', 'the key sk-live-0123456789 and cw_0123456789abcdef', '0123456789'],
  ])('does not log %s', async (_, message, secret) => {
    const script = `throw Object.assign(new Error(${JSON.stringify(message)}), { headers: { x: ${JSON.stringify(secret)} } });`;
    const { output } = await run(script);
    expect(output).toContain('[secret]');
    expect(output).not.toContain(secret);
  });

  it('lets work finish, and logs errors of the stop', async () => {
    const stop = `setTimeout(() => { throw new Error('second'); }, 20); await sleep(200); console.log('finished')`;
    const { exit, output } = await run(`Promise.reject(new Error('first'));`, { stop });
    expect(output).toEqual(expect.stringMatching(/first/));
    expect(output).toEqual(expect.stringMatching(/second/));
    expect(output).toMatch(/^finished$/m);
    expect(exit).toEqual([1, null]);
  });

  it('logs an error that repeats ten times', async () => {
    const stop = `await sleep(300)`;
    const script = `setInterval(() => { throw new Error('again'); }, 1);`;
    const { output } = await run(script, { stop });
    expect(output.match(/"level":"fatal"/g)).toHaveLength(10);
  });

  it.each([
    ['hangs', 'await sleep(60_000)'],
    ['fails', `throw new Error('cannot stop')`],
  ])('exits with code 1 if the stop %s', async (_, stop) => {
    const { exit } = await run(`Promise.reject(new Error('broken'));`, { stop, timeoutMs: 200 });
    expect(exit).toEqual([1, null]);
  });
});
