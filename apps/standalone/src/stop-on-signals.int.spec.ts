import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';

/** A process that stops in `stopMs` when it is asked to. */
async function startStopping({ stopMs, patienceMs }: { stopMs: number; patienceMs: number }) {
  const script = `
    import { stopOnSignals } from ${JSON.stringify(new URL('./stop-on-signals.js', import.meta.url).href)};
    const stop = () => new Promise((resolve) => setTimeout(() => { console.log('stopped'); resolve(); }, ${stopMs}));
    const logger = { info() {}, error: (_, message) => console.log(message) };
    stopOnSignals(stop, { patienceMs: ${patienceMs}, logger });
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
  it('takes one Ctrl-C that arrives twice for one', async () => {
    const { child, exited, output } = await startStopping({ stopMs: 300, patienceMs: 30_000 });
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGINT'), 50);
    assert.deepEqual(await exited, [0, null]);
    assert.match(output(), /stopped/);
  });

  it('cuts off what does not end, and says so', async () => {
    const { child, exited, output } = await startStopping({ stopMs: 60_000, patienceMs: 200 });
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [1, null]);
    assert.equal(output(), 'ready\ndid not stop in time, and is cut off\n');
  });

  it('waits, however long it was told to', async () => {
    const { child, exited } = await startStopping({ stopMs: 300, patienceMs: Number.MAX_SAFE_INTEGER });
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});
