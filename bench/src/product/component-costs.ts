import { processTree, threadsOf } from './process-tree.js';

/** Resource usage of a component of the product during a recording. */
export interface ComponentCost {
  'CPU ms': number;
  /** Peak resident size of its largest process; empty for threads, whose memory is not known. */
  'peak MB': number | '';
}

const SAMPLE_INTERVAL_MS = 200;

/**
 * Records CPU time and memory of a product's processes (Linux). The main process is divided into its threads
 * by their names. Node's own threads, for garbage collection and compilation, are summed up as "V8 and
 * libuv".
 */
export class ComponentCosts {
  private readonly before = new Map<string, number>();
  private readonly latest = new Map<string, { component: string; cpuMs: number; rss: number }>();
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly pid: number) {
    this.sample();
    for (const [key, { cpuMs }] of this.latest) this.before.set(key, cpuMs);
    this.timer = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS);
  }

  /** Starts a recording. @param pid main process of the product */
  static record(pid: number): ComponentCosts {
    return new ComponentCosts(pid);
  }

  /** Ends the recording. @returns costs by component, in descending order of CPU time */
  finish(): Record<string, ComponentCost> {
    clearInterval(this.timer);
    this.sample();
    const components = new Map<string, { cpuMs: number; rss: number }>();
    for (const [key, { component, cpuMs, rss }] of this.latest) {
      const sum = components.get(component) ?? { cpuMs: 0, rss: 0 };
      sum.cpuMs += cpuMs - (this.before.get(key) ?? 0);
      sum.rss = Math.max(sum.rss, rss);
      components.set(component, sum);
    }
    return Object.fromEntries(
      [...components]
        .sort(([, a], [, b]) => b.cpuMs - a.cpuMs)
        .map(([component, { cpuMs, rss }]) => [
          component,
          { 'CPU ms': cpuMs, 'peak MB': rss === 0 ? '' : Math.round(rss / 1e6) } as const,
        ]),
    );
  }

  private sample(): void {
    for (const { pid, command, cpuMs, rss } of processTree(this.pid)) {
      if (/service\.main/.test(command)) this.sampleThreads(pid, rss);
      else this.store(String(pid), componentOf(command), cpuMs, rss);
    }
  }

  private sampleThreads(pid: number, rss: number): void {
    for (const { tid, name, isMain, cpuMs } of threadsOf(pid)) {
      const component = isMain ? 'main loop: API, dispatcher, workers' : componentOfThread(name);
      this.store(`${pid} ${tid}`, component, cpuMs, isMain ? rss : 0);
    }
  }

  private store(key: string, component: string, cpuMs: number, rss: number): void {
    const known = this.latest.get(key);
    this.latest.set(key, { component, cpuMs, rss: Math.max(rss, known?.rss ?? 0) });
  }
}

function componentOf(command: string): string {
  if (/parse-child/.test(command)) return 'parser processes';
  if (/postgres/.test(command)) return 'postgres';
  if (/crawler\.main/.test(command)) return 'crawler';
  if (/standalone.*\bmain\.js/.test(command)) return 'supervisor';
  return command.split(' ', 1)[0] || 'ended processes';
}

function componentOfThread(name: string): string {
  return /^(?:V8Worker|libuv-worker|node|DelayedTask|SignalInspector)/.test(name) ? 'V8 and libuv' : name;
}
