import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataDirectoryInUseError, PostgresServer } from './postgres-server.js';

/**
 * Only root starts Postgres with another account, and only on Linux may that account pass closed directories.
 */
const describeAsRoot = process.platform === 'linux' && process.getuid?.() === 0 ? describe : describe.skip;

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describeAsRoot('embedded Postgres, started by root', () => {
  let closed: string;
  beforeAll(async () => {
    // Like /root: only root may enter.
    closed = await mkdtemp(join(tmpdir(), 'citewell-closed-'));
    await chmod(closed, 0o700);
  });
  afterAll(() => rm(closed, { recursive: true, force: true }));

  it('works below a directory that its account may not enter, and does not change that directory', async () => {
    const directory = join(closed, 'clone', '.citewell');
    await mkdir(directory, { recursive: true });
    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      // A checkpoint writes to the data directory, for which passing its parents is not enough.
      await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS n');
      await query(server.url, 'CHECKPOINT');
      expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);

      const data = await stat(join(directory, 'postgres'));
      // Root owns the data.
      expect(data.uid).not.toBe(0);
      expect(data.mode & 0o777).toBe(0o700);
      // A process's directory in /proc belongs to the account of the process.
      const child = await stat(`/proc/${server.pid}`);
      // The server runs as the owner of its data.
      expect(child.uid).toBe(data.uid);
      const { uid, mode } = await stat(closed);
      // The closed directory is unchanged.
      expect([uid, mode & 0o777]).toEqual([0, 0o700]);
      const password = await stat(join(directory, 'postgres.password'));
      expect([password.uid, password.mode & 0o777]).toEqual([0, 0o600]);
    } finally {
      await server.stop();
    }
    expect((await readdir(directory)).toSorted()).toEqual(['postgres', 'postgres.password']);

    const again = await PostgresServer.start({ directory, fsync: false });
    try {
      expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    } finally {
      await again.stop();
    }
  });
});

describe('embedded Postgres, started twice on an empty directory', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'citewell-race-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  // Both generate a password and run initdb.
  for (const apartMs of [0, 20, 150]) {
    it(`has one owner and refuses the other, ${apartMs} ms apart`, async () => {
      const directory = join(root, String(apartMs));
      const start = async (afterMs: number): Promise<PostgresServer> => {
        await sleep(afterMs);
        return PostgresServer.start({ directory, fsync: false });
      };
      const outcomes = await Promise.allSettled([start(0), start(apartMs)]);
      const owners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      try {
        expect(refusals).toEqual([expect.any(DataDirectoryInUseError)]);
        expect(owners).toHaveLength(1);
        expect(await query(owners[0]?.url ?? '', 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      } finally {
        await Promise.all(owners.map((owner) => owner.stop()));
      }
      expect((await readdir(directory)).toSorted()).toEqual(['postgres', 'postgres.password']);
      const again = await PostgresServer.start({ directory, fsync: false });
      await again.stop();
    });
  }
});

describe('embedded Postgres, when the server that it replaces has ended meanwhile', () => {
  it('starts', async () => {
    const root = await mkdtemp(join(tmpdir(), 'citewell-ending-'));
    const [ending, directory] = [join(root, 'ending'), join(root, 'started')];
    await (await PostgresServer.start({ directory, fsync: false })).stop();
    const left = await PostgresServer.start({ directory: ending, fsync: false });
    try {
      // As if the server worked on the same data, and its owner had been killed.
      const password = await readFile(join(directory, 'postgres.password'), 'utf8');
      await query(
        left.url,
        `ALTER USER citewell PASSWORD '${password}';
         SELECT pg_terminate_backend(pid, 30000) FROM pg_locks WHERE locktype = 'advisory'`,
      );
      // The port answers, but the process of the file has ended.
      const [, ...lines] = (await readFile(join(ending, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      const ended = [spawnSync('true').pid, ...lines.slice(0, 3), ''].join('\n');
      await writeFile(join(directory, 'postgres', 'postmaster.pid'), ended);
      const server = await PostgresServer.start({ directory, fsync: false });
      expect(await query(server.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      await server.stop();
    } finally {
      await left.stop();
      await rm(root, { recursive: true, force: true });
    }
  });
});
