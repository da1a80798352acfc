import { round } from '../product/timings.js';
import type { Sample } from './crawl-run.js';

const STEPS = 10;

/** Prints, for each tenth of the pages, how long fetching them took and what the main process needed. */
export function printGrowth(samples: readonly Sample[]): void {
  const total = Math.max(...samples.map(({ fetched }) => fetched));
  const rows: Record<string, Record<string, number>> = {};
  let before = samples[0];
  for (let step = 1; step <= STEPS; step += 1) {
    const reached = samples.find(({ fetched }) => fetched >= (total * step) / STEPS);
    if (before === undefined || reached === undefined || reached.fetched === before.fetched) continue;
    const pages = reached.fetched - before.fetched;
    rows[`${before.fetched} to ${reached.fetched}`] = {
      'ms a page': round(((reached.seconds - before.seconds) * 1_000) / pages),
      'CPU ms of the main thread a page': round((reached.cpuMs - before.cpuMs) / pages),
      'MB PSS of the main process': Math.round(reached.pss / 1e6),
    };
    before = reached;
  }
  console.log('By the number of pages fetched:');
  console.table(rows);
}
