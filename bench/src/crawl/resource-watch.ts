import { type ProcessCost, processTree, pssOf, threadsOf } from '../product/process-tree.js';

const INTERVAL_MS = 1_000;

/** Processor time by part of a product, and its memory at the worst moment. Linux only. */
export class ResourceWatch {
  private readonly before: Map<string, number>;
  private readonly timer: NodeJS.Timeout;
  private pss = 0;
  private rss = 0;
  private postgresPss = 0;

  constructor(private readonly pid: number) {
    this.before = cpuByPart(pid);
    this.timer = setInterval(() => this.look(), INTERVAL_MS);
  }

  /** @returns milliseconds by part, and megabytes */
  stop(): {
    cpu: Map<string, number>;
    peakPssMegabytes: number;
    /** Of these, what the processes of Postgres had. */
    postgresPssMegabytes: number;
    peakRssMegabytes: number;
  } {
    clearInterval(this.timer);
    this.look();
    const cpu = [...cpuByPart(this.pid)].map(
      ([part, ms]) => [part, ms - (this.before.get(part) ?? 0)] as const,
    );
    return {
      cpu: new Map(cpu.filter(([, ms]) => ms > 0).toSorted(([, a], [, b]) => b - a)),
      peakPssMegabytes: Math.round(this.pss / 1e6),
      postgresPssMegabytes: Math.round(this.postgresPss / 1e6),
      peakRssMegabytes: Math.round(this.rss / 1e6),
    };
  }

  private look(): void {
    const processes = processTree(this.pid);
    const sum = (of: (process: ProcessCost) => number): number =>
      processes.reduce((total, process) => total + of(process), 0);
    this.rss = Math.max(
      this.rss,
      sum(({ rss }) => rss),
    );
    const sizes = new Map(processes.map(({ pid }) => [pid, pssOf(pid)]));
    const pss = sum(({ pid }) => sizes.get(pid) ?? 0);
    if (pss <= this.pss) return;
    this.pss = pss;
    this.postgresPss = sum((process) => (isPostgres(process) ? (sizes.get(process.pid) ?? 0) : 0));
  }
}

function isPostgres({ command }: ProcessCost): boolean {
  return command.includes('postgres');
}

function cpuByPart(pid: number): Map<string, number> {
  const parts = new Map<string, number>();
  const add = (part: string, ms: number): void => void parts.set(part, (parts.get(part) ?? 0) + ms);
  for (const process of processTree(pid)) {
    const { cpuMs } = process;
    if (process.pid === pid) {
      // Threads that have ended count for nobody.
      for (const thread of threadsOf(pid))
        add(`product: ${thread.isMain ? 'main thread' : thread.name}`, thread.cpuMs);
    } else if (isPostgres(process)) add('Postgres', cpuMs);
    else add('parser process', cpuMs);
  }
  return parts;
}
