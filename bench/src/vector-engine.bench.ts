// Compares the embedded vector engine with brute force.
//
//   node dist/vector-engine.bench.js [--sizes 5000,20000,100000] [--dimensions 256,384] [--windows 1,4.5]
//     [--only embedded]
import type { Point } from '@citewell/vector-store';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bruteForceContender, embeddedContender } from './vector-contenders.js';
import type { Contender, SearchMode } from './vector-contenders.js';
import { VectorCorpus } from './vector-corpus.js';
import type { CorpusQuery } from './vector-corpus.js';

const BATCH = 256;
const QUERIES = 200;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '5000,20000,100000' },
    dimensions: { type: 'string', default: '384' },
    windows: { type: 'string', default: '1,4.5' },
    only: { type: 'string' },
  },
});

for (const size of numbersIn(values.sizes))
  for (const dimensions of numbersIn(values.dimensions))
    for (const windows of numbersIn(values.windows)) console.table(await measure(size, dimensions, windows));

async function measure(size: number, dimensions: number, windows: number): Promise<object[]> {
  const directory = await mkdtemp(join(tmpdir(), 'vector-bench-'));
  const corpus = new VectorCorpus(dimensions, windows);
  const points = Array.from({ length: size }, (_, ordinal) => corpus.point(ordinal));
  const queries = Array.from({ length: QUERIES }, (_, i) => corpus.query(points[(i * 7919) % size]!));
  const truth = await exactNeighbours(points, queries);
  const rows: object[] = [];
  const makers = [() => embeddedContender(directory, corpus), async () => bruteForceContender()];
  for (const make of makers) {
    const residentBefore = process.memoryUsage().rss;
    const contender = await make();
    if (values.only !== undefined && contender.name !== values.only) continue;
    const row = await run(contender, points, queries, truth, residentBefore);
    await contender.close();
    const diskMb =
      contender.name === 'embedded' ? { 'disk MB': await megabytesIn(join(directory, 'embedded')) } : {};
    rows.push({ size, dimensions, windows, ...row, ...diskMb });
  }
  await rm(directory, { recursive: true });
  return rows;
}

async function run(
  contender: Contender,
  points: readonly Point[],
  queries: readonly CorpusQuery[],
  truth: readonly string[][],
  residentBefore: number,
): Promise<object> {
  const started = performance.now();
  for (let from = 0; from < points.length; from += BATCH)
    await contender.insert(points.slice(from, from + BATCH));
  await contender.optimize();
  const perSecond = Math.round(points.length / ((performance.now() - started) / 1000));
  const firstStarted = performance.now();
  await contender.search(queries[0]!, contender.modes[0]!);
  const firstMs = performance.now() - firstStarted;
  const columns: Record<string, number> = {};
  for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
    if (!contender.modes.includes(mode)) continue;
    const { p50, p99, found } = await time(contender, queries, mode);
    columns[`${mode} p50 ms`] = p50;
    columns[`${mode} p99 ms`] = p99;
    if (mode === 'dense') columns['recall@10'] = recall(found, truth);
  }
  const residentMb = Math.round((process.memoryUsage().rss - residentBefore) / 2 ** 20);
  return {
    engine: contender.name,
    'inserts/s': perSecond,
    'first ms': round(firstMs),
    ...columns,
    'rss +MB': residentMb,
  };
}

async function time(
  contender: Contender,
  queries: readonly CorpusQuery[],
  mode: SearchMode,
): Promise<{ p50: number; p99: number; found: string[][] }> {
  for (const query of queries.slice(0, 50)) await contender.search(query, mode);
  const times: number[] = [];
  const found: string[][] = [];
  for (const query of queries) {
    const started = performance.now();
    found.push(await contender.search(query, mode));
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return {
    p50: round(times[times.length >> 1]!),
    p99: round(times[Math.floor(times.length * 0.99)]!),
    found,
  };
}

async function exactNeighbours(
  points: readonly Point[],
  queries: readonly CorpusQuery[],
): Promise<string[][]> {
  const exact = bruteForceContender();
  await exact.insert(points);
  const neighbours: string[][] = [];
  for (const query of queries) neighbours.push(await exact.search(query, 'dense'));
  return neighbours;
}

function recall(found: readonly string[][], truth: readonly string[][]): number {
  const shares = truth.map((ids, i) => ids.filter((id) => found[i]?.includes(id)).length / ids.length);
  return round(shares.reduce((sum, share) => sum + share, 0) / shares.length);
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number);
}

async function megabytesIn(directory: string): Promise<number> {
  const files = await Promise.all((await readdir(directory)).map((name) => stat(join(directory, name))));
  return Math.round(files.reduce((sum, { size }) => sum + size, 0) / 2 ** 20);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
