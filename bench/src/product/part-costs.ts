import { processTree, threadsOf } from './process-tree.js';

/** What a part of the product cost while it was watched. */
export interface PartCost {
  'CPU ms': number;
  /** Of its largest process, resident. Threads have no memory of their own. */
  'most MB': number | '';
}

const LOOK_MS = 200;

/**
 * Looks at the processes of a product five times a second. The main process is taken apart into its threads, by the names
 * that Node gives them: what Node's own threads do (garbage collection, compiling) is "V8 and libuv".
 */
export class PartCosts {
  private readonly before = new Map<string, number>();
  private readonly latest = new Map<string, { part: string; cpuMs: number; rss: number }>();
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pid: number) {
    this.look();
    for (const [key, { cpuMs }] of this.latest) this.before.set(key, cpuMs);
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  static watch(pid: number): PartCosts {
    return new PartCosts(pid);
  }

  /** Ends the watch. @returns costs by part, the dearest first */
  finish(): Record<string, PartCost> {
    clearInterval(this.timer);
    this.look();
    const parts = new Map<string, { cpuMs: number; rss: number }>();
    for (const [key, { part, cpuMs, rss }] of this.latest) {
      const sum = parts.get(part) ?? { cpuMs: 0, rss: 0 };
      sum.cpuMs += cpuMs - (this.before.get(key) ?? 0);
      sum.rss = Math.max(sum.rss, rss);
      parts.set(part, sum);
    }
    return Object.fromEntries(
      [...parts]
        .sort(([, one], [, other]) => other.cpuMs - one.cpuMs)
        .map(([part, { cpuMs, rss }]) => [
          part,
          { 'CPU ms': cpuMs, 'most MB': rss === 0 ? '' : Math.round(rss / 1e6) } as const,
        ]),
    );
  }

  private look(): void {
    for (const { pid, command, cpuMs, rss } of processTree(this.pid)) {
      if (pid === this.pid) this.lookIntoThreads(rss);
      else this.note(String(pid), partOf(command), cpuMs, rss);
    }
  }

  private lookIntoThreads(rss: number): void {
    for (const { tid, name, isMain, cpuMs } of threadsOf(this.pid)) {
      const part = isMain ? 'main loop: API, dispatcher, workers' : threadName(name);
      this.note(`${this.pid} ${tid}`, part, cpuMs, isMain ? rss : 0);
    }
  }

  private note(key: string, part: string, cpuMs: number, rss: number): void {
    const known = this.latest.get(key);
    this.latest.set(key, { part, cpuMs, rss: Math.max(rss, known?.rss ?? 0) });
  }
}

function partOf(command: string): string {
  if (/parse-child/.test(command)) return 'parser processes';
  if (/postgres/.test(command)) return 'postgres';
  return command.split(' ', 1)[0] ?? command;
}

function threadName(name: string): string {
  return /^(?:V8Worker|libuv-worker|node|DelayedTask|SignalInspector)/.test(name) ? 'V8 and libuv' : name;
}
