import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { endWithParent } from './child-processes.js';

/** Until the condition holds; the timeout of the test ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process that starts a child, prints its id, and waits. */
async function startParent(signal: 'INT' | 'KILL'): Promise<{ parent: ChildProcess; child: number }> {
  const program = `
    import { spawn } from 'node:child_process';
    const { endWithParent } = await import(${JSON.stringify(new URL('./child-processes.js', import.meta.url).href)});
    const child = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
    endWithParent(child, ${JSON.stringify(signal)});
    console.log(child.pid);
    process.stdin.on('data', () => process.exit(3));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await parent.stdout.setEncoding('utf8').take(1).toArray();
  return { parent, child: Number(line) };
}

/** The parents of the shells that wait for the end of the parent of a child. */
function parentsOfShells(child: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`|| kill -INT ${child}\0`)) return [];
      return [Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])];
    } catch {
      return [];
    }
  });
}

describe('endWithParent', () => {
  it.each(['INT', 'KILL'] as const)('sends SIG%s when the parent is killed', async (signal) => {
    const { parent, child } = await startParent(signal);
    expect(isRunning(child)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isRunning(child));
  });

  it('sends it to the group of the child', async () => {
    const program = `
      import { spawn } from 'node:child_process';
      const { endWithParent } = await import(${JSON.stringify(new URL('./child-processes.js', import.meta.url).href)});
      const stdio = ['ignore', 'pipe', 'ignore'];
      const child = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio, detached: true });
      endWithParent(child, 'KILL', { isGroup: true });
      child.stdout.pipe(process.stdout);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await parent.stdout.setEncoding('utf8').take(1).toArray();
    expect(isRunning(Number(line))).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isRunning(Number(line)));
  });

  it('sends the signal when the parent exits', async () => {
    const { parent, child } = await startParent('INT');
    parent.stdin?.write('exit');
    await once(parent, 'exit');
    await until(() => !isRunning(child));
  });

  const itOnLinux = existsSync('/proc/self/status') ? it : it.skip;
  itOnLinux('has a shell that this process collects, and that ends with the child', async () => {
    const { parent, child } = await startParent('INT');
    expect(parentsOfShells(child)).toEqual([parent.pid]);
    process.kill(child, 'SIGKILL');
    await until(() => parentsOfShells(child).length === 0 && !isRunning(child));
    expect(parent.exitCode).toBeNull();
    parent.kill('SIGKILL');
  });

  it('does not keep the process alive', async () => {
    const program = `
      import { spawn } from 'node:child_process';
      const { endWithParent } = await import(${JSON.stringify(new URL('./child-processes.js', import.meta.url).href)});
      const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
      endWithParent(child, 'KILL');
      child.unref();`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    expect(await once(parent, 'exit')).toEqual([0, null]);
  });

  it('does nothing for a child that did not start', async () => {
    const child = spawn('/no/such/program');
    child.on('error', () => undefined);
    expect(() => endWithParent(child, 'KILL')).not.toThrow();
  });
});
