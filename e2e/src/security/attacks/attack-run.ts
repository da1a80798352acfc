import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from '@jest/globals';
import type { ApiClient } from '../../client/api-client.js';
import type { Deployment } from '../../deployments/deployment.js';
import { descendantsOf, proportionalBytes } from '../../deployments/processes.js';
import { report } from '../../report.js';
import { Attacker } from './attacker.js';

/** No request may keep the event loop busy for longer. */
const MAX_STALL_MS = 250;
const MAX_BYTES = 1024 ** 3;
/** They say what the operator or the client can do. */
const EXPLAINED = [503, 507];
/** Other programs on the machine can stall the product, so a longer stall has to occur each time. */
const MAX_REPETITIONS = 3;
const SAMPLE_INTERVAL_MS = 200;

interface Row {
  readonly attack: string;
  readonly attempts: number;
  readonly responses: string;
  /** Longest time in which the event loop of the product processed nothing, as the product measures it. */
  readonly 'stall ms': number;
  /** Longest wait of a client that asks whether the product is alive. */
  readonly 'wait ms': number;
  /** Memory of all processes (PSS). */
  readonly 'peak MB': number;
  readonly '5xx': number;
}

/** Runs attacks on a standalone deployment and measures what they do to it (Linux). */
export class AttackRun {
  private readonly rows: Row[] = [];
  private readonly probe: Worker;

  constructor(
    private readonly deployment: Deployment,
    private readonly api: ApiClient,
  ) {
    this.probe = new Worker(new URL('./liveness.worker.js', import.meta.url), {
      workerData: { url: `${deployment.origin}/health/live` },
    });
  }

  /** @param work is repeated when the event loop has been stalled for too long */
  async attack(name: string, work: (attacker: Attacker) => Promise<unknown>): Promise<void> {
    let best = await this.measure(name, work);
    for (let again = 1; again < MAX_REPETITIONS && best['stall ms'] > MAX_STALL_MS; again += 1) {
      const row = await this.measure(name, work);
      const [shorter, longer] = row['stall ms'] < best['stall ms'] ? [row, best] : [best, row];
      best = {
        ...shorter,
        'peak MB': Math.max(shorter['peak MB'], longer['peak MB']),
        '5xx': shorter['5xx'] + longer['5xx'],
      };
    }
    report(JSON.stringify(best));
    this.rows.push(best);
  }

  /** Asserts the limits. */
  async finish(): Promise<void> {
    await this.probe.terminate();
    for (const row of this.rows) {
      const failures = {
        stall: row['stall ms'] > MAX_STALL_MS,
        memory: row['peak MB'] > MAX_BYTES / 1024 ** 2,
        errors: row['5xx'],
      };
      expect([row.attack, failures]).toEqual([row.attack, { stall: false, memory: false, errors: 0 }]);
    }
  }

  private async measure(name: string, work: (attacker: Attacker) => Promise<unknown>): Promise<Row> {
    const attacker = new Attacker(this.api);
    await this.longestWait();
    await this.longestStall();
    let peakBytes = 0;
    let isOver = false;
    const sampling = (async () => {
      while (!isOver) {
        peakBytes = Math.max(peakBytes, await this.memory());
        await sleep(SAMPLE_INTERVAL_MS);
      }
    })();
    try {
      await work(attacker);
    } finally {
      isOver = true;
      await sampling;
      attacker.close();
    }
    return {
      attack: name,
      attempts: attacker.attempts,
      responses: [...attacker.statuses]
        .map(([status, count]) => `${status || 'closed'} × ${count}`)
        .join(', '),
      'stall ms': Math.round(await this.longestStall()),
      'wait ms': Math.round(await this.longestWait()),
      'peak MB': Math.round(peakBytes / 1024 ** 2),
      '5xx': [...attacker.statuses].reduce(
        (sum, [status, count]) => sum + (status >= 500 && !EXPLAINED.includes(status) ? count : 0),
        0,
      ),
    };
  }

  /** Since the last call. */
  private async longestWait(): Promise<number> {
    const answer = new Promise<number>((resolve) => this.probe.once('message', resolve));
    this.probe.postMessage(null);
    return answer;
  }

  /** Since the last call: reading the metric resets it. */
  private async longestStall(): Promise<number> {
    const text = await (await fetch(`${this.deployment.origin}/metrics`)).text();
    const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1];
    if (seconds === undefined) throw new Error('The product does not report the lag of its event loop');
    return Number(seconds) * 1_000;
  }

  private async memory(): Promise<number> {
    const pid = this.deployment.processes['standalone']?.pid ?? 0;
    const sizes = await Promise.all([pid, ...(await descendantsOf(pid))].map(proportionalBytes));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }
}
