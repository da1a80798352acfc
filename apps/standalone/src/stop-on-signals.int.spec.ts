import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';

it('takes one Ctrl-C that arrives twice for one', async () => {
  const script = `
    import { stopOnSignals } from ${JSON.stringify(new URL('./stop-on-signals.js', import.meta.url).href)};
    const stop = () => new Promise((resolve) => setTimeout(() => { console.log('stopped'); resolve(); }, 300));
    stopOnSignals(stop, { info() {}, error() {} });
    setInterval(() => undefined, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  setTimeout(() => child.kill('SIGINT'), 50);
  assert.deepEqual(await exited, [0, null]);
  assert.match(output, /stopped/);
});
