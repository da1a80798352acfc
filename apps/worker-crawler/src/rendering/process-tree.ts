import { readdir, readFile } from 'node:fs/promises';

/** From `/proc/<pid>/status`, see proc_pid_status(5). */
export interface ProcessStatus {
  readonly pid: number;
  readonly parentPid: number;
  /** The id of its process group. */
  readonly group: number;
  /** Resident memory without mapped files, which processes share: RssAnon and RssShmem. */
  readonly bytes: number;
}

const PARENT = /^PPid:\s+(\d+)/m;
const GROUP = /^NSpgid:\s+(\d+)/m;
const ANONYMOUS = /^RssAnon:\s+(\d+)/m;
const SHARED = /^RssShmem:\s+(\d+)/m;

/** A process and its descendants. Empty if the process has ended, or without `/proc`. */
export async function processTree(root: number): Promise<ProcessStatus[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parentPid }) => parentPid === pid));
  return tree;
}

/**
 * The groups of the processes that have a folder as their home, even if their parent has ended. Without the
 * group of this process. Empty without `/proc`.
 */
export async function processGroupsOf(home: string): Promise<number[]> {
  const all = await allProcesses();
  const environments = await Promise.all(
    all.map(({ pid }) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  const groups = all
    .filter((_, index) => environments[index]?.split('\0').includes(`HOME=${home}`))
    .map(({ group }) => group);
  const own = all.find(({ pid }) => pid === process.pid)?.group;
  return [...new Set(groups)].filter((group) => group > 0 && group !== own);
}

async function allProcesses(): Promise<ProcessStatus[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readStatus))).filter((status) => status !== null);
}

async function readStatus(pid: number): Promise<ProcessStatus | null> {
  const text = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => null);
  if (text === null) return null;
  const field = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  const bytes = (field(ANONYMOUS) + field(SHARED)) * 1024;
  return { pid, parentPid: field(PARENT), group: field(GROUP), bytes };
}
