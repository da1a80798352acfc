import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';

/** Starts a process whose `stop` takes `stopMs`. */
async function startProcess({ stopMs, timeoutMs }: { stopMs: number; timeoutMs: number }) {
  const script = `
    import { stopOnSignals } from ${JSON.stringify(new URL('./stop-on-signals.js', import.meta.url).href)};
    const stop = () => new Promise((resolve) => setTimeout(() => { console.log('stopped'); resolve(); }, ${stopMs}));
    const logger = { info() {}, error: (_, message) => console.log(message) };
    stopOnSignals(stop, { timeoutMs: ${timeoutMs}, logger });
    setInterval(() => undefined, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child.stdout, 'data');
  return { child, exited: once(child, 'close'), output: () => output };
}

describe('stopOnSignals', () => {
  it('treats two signals of one Ctrl-C as one', async () => {
    const { child, exited, output } = await startProcess({ stopMs: 300, timeoutMs: 30_000 });
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGINT'), 50);
    expect(await exited).toEqual([0, null]);
    expect(output()).toMatch(/stopped/);
  });

  it('exits with code 1 after the timeout and logs it', async () => {
    const { child, exited, output } = await startProcess({ stopMs: 60_000, timeoutMs: 200 });
    child.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
    expect(output()).toBe('ready\ndid not stop within the timeout\n');
  });

  it('accepts a timeout longer than the maximum of a timer', async () => {
    const { child, exited } = await startProcess({ stopMs: 300, timeoutMs: Number.MAX_SAFE_INTEGER });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
