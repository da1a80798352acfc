import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export { confined, networkIsolation } from './confined-command.js';
export { newScratchPath, removeAbandonedScratch } from './scratch-folder.js';
export { cpuTimeMs, type ProcessUsage, processUsage } from './process-usage.js';

/**
 * Sends a signal to a child process when this process ends, however that ends: a shell reads a pipe that ends with this
 * process. Call it when the child has started. On Windows it does nothing.
 *
 * The shell is a child of this process, which therefore collects it. As a grandchild it would stay in the process table of
 * a container whose first process is this one.
 *
 * @param options `isGroup`: the child leads a process group, which gets the signal. Default: false.
 */
export function endWithParent(
  child: ChildProcess,
  signal: 'INT' | 'KILL',
  { isGroup = false }: { readonly isGroup?: boolean } = {},
): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const target = isGroup ? -child.pid : child.pid;
  const shell = spawn('/bin/sh', ['-c', `read -r line || kill -${signal} ${target}`], {
    // In a process group of its own, so that signals to the group of this process do not end it first.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, the child is ended by an ordered stop only.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  // The id of a child that has ended can become that of another process.
  child.once('exit', () => shell.stdin.end('\n'));
}

/**
 * Lowers the priority of a process and of those that it starts later, so that API requests are served first. Does
 * nothing where that is not allowed.
 */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process keeps normal priority.
  }
}
