import { readdir, readFile } from 'node:fs/promises';

/** A process and what it has in memory. */
export interface ProcessMemory {
  readonly pid: number;
  readonly parentPid: number;
  /** Resident and its own: files that are mapped, as the program itself is, are shared and do not count. */
  readonly bytes: number;
}

/**
 * A process and all below it, the process itself first; empty when it is gone, or where there is no `/proc`.
 *
 * Memory is RssAnon and RssShmem of `/proc/<pid>/status`, see proc_pid_status(5).
 */
export async function processTree(root: number): Promise<ProcessMemory[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parentPid }) => parentPid === pid));
  return tree;
}

/** Whether a process of Chromium is one in which pages run. */
export async function isPageProcess(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
  return commandLine.includes('--type=renderer');
}

async function allProcesses(): Promise<ProcessMemory[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readProcess))).filter((process) => process !== null);
}

async function readProcess(pid: number): Promise<ProcessMemory | null> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => null);
  if (status === null) return null;
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { pid, parentPid: field('PPid'), bytes: (field('RssAnon') + field('RssShmem')) * 1024 };
}
