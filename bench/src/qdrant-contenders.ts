import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import { MIN_LEG_CANDIDATES } from '@citewell/vector-store';
import {
  type QdrantStorageOptions,
  QdrantVectorStore,
  rebalanceCluster,
} from '@citewell/vector-store/qdrant';
import { processTree } from './product/process-tree.js';
import { bytesIn, type Contender, modesOf, searchWith, spaceOf } from './vector-contenders.js';
import type { VectorCorpus } from './vector-corpus.js';

const SETTINGS: readonly QdrantStorageOptions[] = [
  { quantization: 'none' },
  { quantization: 'scalar' },
  { quantization: 'binary' },
  { quantization: 'none', onDiskVectors: true },
  { quantization: 'binary', onDiskVectors: true },
];

/**
 * A Qdrant server with each setting of storage in turn. The points are written once: the first setting's CPU time is that of
 * writing and indexing, the others' that of indexing again. The server starts again before its memory is read.
 *
 * @param binary the program of Qdrant
 */
export function qdrantContenders(
  binary: string,
  directory: string,
  corpus: VectorCorpus,
): (() => Promise<Contender>)[] {
  return (corpus.dimensions === 0 ? SETTINGS.slice(0, 1) : SETTINGS).map(
    (settings, index) => () => qdrantContender(binary, directory, corpus, { settings, writes: index === 0 }),
  );
}

async function qdrantContender(
  binary: string,
  directory: string,
  corpus: VectorCorpus,
  { settings, writes }: { settings: QdrantStorageOptions; writes: boolean },
): Promise<Contender> {
  const storage = join(directory, 'qdrant');
  let server = await startQdrant(binary, storage);
  const urls = [server.url];
  const store = new QdrantVectorStore({ urls, ...settings });
  const space = spaceOf(corpus);
  await store.ensureSpace(space);
  const cpuBefore = processTree(server.pid)[0]?.cpuMs ?? 0;
  let cpuOfEnded = 0;
  return {
    name: `qdrant ${settings.quantization}${settings.onDiskVectors === true ? ' on disk' : ''}`,
    modes: modesOf(corpus),
    insert: async (points) => {
      if (writes) await store.upsert(space, points);
    },
    optimize: async () => {
      await rebalanceCluster({ urls, ...settings, onChange: () => undefined });
      await untilGreen(server.url);
      cpuOfEnded = processTree(server.pid)[0]?.cpuMs ?? 0;
      await server.stop();
      server = await startQdrant(binary, storage, Number(new URL(server.url).port));
    },
    // As many as a search by words and meaning asks for.
    search: searchWith(store, space, corpus, MIN_LEG_CANDIDATES),
    usage: async () => ({
      cpuMs: cpuOfEnded + (processTree(server.pid)[0]?.cpuMs ?? 0) - cpuBefore,
      diskBytes: await bytesIn(storage),
      memory: await memoryOf(server.pid),
    }),
    close: () => server.stop(),
  };
}

interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function startQdrant(binary: string, storage: string, port?: number): Promise<Server> {
  const http = port ?? (await freePort());
  const url = `http://127.0.0.1:${http}`;
  const running = RunningProcess.run('qdrant', binary, {
    args: [],
    env: {
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: `${http}`,
      QDRANT__SERVICE__GRPC_PORT: `${await freePort()}`,
      QDRANT__STORAGE__STORAGE_PATH: storage,
      QDRANT__STORAGE__SNAPSHOTS_PATH: `${storage}-snapshots`,
      QDRANT__TELEMETRY_DISABLED: 'true',
      QDRANT__LOG_LEVEL: 'WARN',
    },
  });
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (!running.isRunning) throw new Error(`Qdrant ended:\n${running.output.slice(-4_000)}`);
    await sleep(100);
  }
  return { url, pid: running.pid, stop: async () => void (await running.stop()) };
}

/** Waits until the segments are optimized: green twice, because an optimizer may start a little later. */
async function untilGreen(url: string): Promise<void> {
  for (let green = 0; green < 3;) {
    const response = await fetch(`${url}/collections/citewell_bench`);
    const { result } = (await response.json()) as { result: { status: string } };
    green = result.status === 'green' ? green + 1 : 0;
    await sleep(1_000);
  }
}

/** Of a process, in bytes: `anonymous` cannot be dropped, `file` are pages of files, which the system reads again. */
async function memoryOf(pid: number): Promise<{ anonymous: number; file: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { anonymous: of('RssAnon'), file: of('RssFile') };
}
