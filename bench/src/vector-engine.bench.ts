// Compares the embedded vector engine with brute force, and with a Qdrant server in every setting of storage: memory, disk, CPU
// time (Linux) and recall. Dimensions 0 are points without dense vectors.
//
//   [QDRANT_BINARY=/path/of/qdrant] npm run bench -- vector-engine [--sizes 5000,20000,100000] [--dimensions 0,256,384]
//     [--windows 1,4.5] [--only embedded] [--queries 200]
import type { Point } from '@citewell/vector-store';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { qdrantContenders } from './qdrant-contenders.js';
import { bruteForceContender, embeddedContender } from './vector-contenders.js';
import type { Contender, SearchMode } from './vector-contenders.js';
import { VectorCorpus } from './vector-corpus.js';
import type { CorpusQuery } from './vector-corpus.js';

const BATCH = 256;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '5000,20000,100000' },
    dimensions: { type: 'string', default: '384' },
    windows: { type: 'string', default: '1,4.5' },
    /** Beginning of the names of the engines. */
    only: { type: 'string', default: '' },
    queries: { type: 'string', default: '200' },
  },
});

for (const size of numbersIn(values.sizes))
  for (const dimensions of numbersIn(values.dimensions))
    for (const windows of numbersIn(values.windows)) await measure(size, dimensions, windows);

async function measure(size: number, dimensions: number, windows: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'vector-bench-'));
  const corpus = new VectorCorpus(dimensions, windows);
  const points = Array.from({ length: size }, (_, ordinal) => corpus.point(ordinal));
  const queries = Array.from({ length: Number(values.queries) }, (_, i) =>
    corpus.query(points[(i * 7919) % size]!),
  );
  const truth = dimensions === 0 ? [] : await exactNeighbours(points, queries);
  const binary = process.env['QDRANT_BINARY'];
  const engines: [name: string, makers: (() => Promise<Contender>)[]][] = [
    ['embedded', [() => embeddedContender(directory, corpus)]],
    ['brute force', dimensions === 0 ? [] : [async () => bruteForceContender()]],
    ['qdrant', binary === undefined ? [] : qdrantContenders(binary, directory, corpus)],
  ];
  for (const make of engines.flatMap(([name, makers]) => (name.startsWith(values.only) ? makers : []))) {
    const residentBefore = process.memoryUsage().rss;
    const contender = await make();
    const row = {
      size,
      dimensions,
      windows,
      ...(await run(contender, points, queries, truth, residentBefore)),
    };
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
    await contender.close();
  }
  await rm(directory, { recursive: true });
}

async function run(
  contender: Contender,
  points: readonly Point[],
  queries: readonly CorpusQuery[],
  truth: readonly string[][],
  residentBefore: number,
): Promise<object> {
  const started = performance.now();
  const before = await contender.usage?.();
  for (let from = 0; from < points.length; from += BATCH)
    await contender.insert(points.slice(from, from + BATCH));
  await contender.optimize();
  const perSecond = Math.round(points.length / ((performance.now() - started) / 1000));
  const written = await contender.usage?.();
  const firstStarted = performance.now();
  await contender.search(queries[0]!, contender.modes[0]!);
  const firstMs = performance.now() - firstStarted;
  const columns: Record<string, number> = {};
  for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
    if (!contender.modes.includes(mode)) continue;
    const { p50, p99, cpuMs, found } = await time(contender, queries, mode);
    if (cpuMs !== null) columns[`${mode} CPU ms`] = cpuMs;
    columns[`${mode} p50 ms`] = p50;
    columns[`${mode} p99 ms`] = p99;
    if (mode === 'dense') columns['recall@10'] = recall(found, truth);
  }
  const used = await contender.usage?.();
  const residentMb = Math.round((process.memoryUsage().rss - residentBefore) / 2 ** 20);
  return {
    engine: contender.name,
    'inserts/s': perSecond,
    'first ms': round(firstMs),
    ...columns,
    ...(used?.memory === undefined
      ? { 'rss +MB': residentMb }
      : { 'anonymous MB': megabytes(used.memory.anonymous), 'mapped MB': megabytes(used.memory.file) }),
    ...(used && { 'disk MB': megabytes(used.diskBytes) }),
    ...(before && written && { 'write CPU s': round((written.cpuMs - before.cpuMs) / 1_000) }),
  };
}

async function time(
  contender: Contender,
  queries: readonly CorpusQuery[],
  mode: SearchMode,
): Promise<{ p50: number; p99: number; cpuMs: number | null; found: string[][] }> {
  for (const query of queries.slice(0, 50)) await contender.search(query, mode);
  const before = await contender.usage?.();
  const times: number[] = [];
  const found: string[][] = [];
  for (const query of queries) {
    const started = performance.now();
    found.push(await contender.search(query, mode));
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const after = await contender.usage?.();
  return {
    cpuMs: before && after ? round((after.cpuMs - before.cpuMs) / queries.length) : null,
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

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
