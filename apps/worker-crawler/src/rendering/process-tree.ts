import { readdir, readFile } from 'node:fs/promises';

/** A process and what it has in memory. */
export interface ProcessMemory {
  readonly pid: number;
  readonly parentPid: number;
  /** The id of its process group. */
  readonly group: number;
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

/**
 * The process groups, this process's own left out, in which there are processes whose home is a folder. What has lost
 * its parent is found by it too. Empty where there is no `/proc`.
 */
export async function groupsAtHome(folder: string): Promise<number[]> {
  const all = await allProcesses();
  const environments = await Promise.all(
    all.map(({ pid }) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  const groups = all
    .filter((_, index) => environments[index]?.split('\0').includes(`HOME=${folder}`))
    .map(({ group }) => group);
  const own = all.find(({ pid }) => pid === process.pid)?.group;
  return [...new Set(groups)].filter((group) => group > 0 && group !== own);
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
  const bytes = (field('RssAnon') + field('RssShmem')) * 1024;
  return { pid, parentPid: field('PPid'), group: field('NSpgid'), bytes };
}
