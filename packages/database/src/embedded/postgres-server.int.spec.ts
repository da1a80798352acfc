import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataDirectoryInUseError, findRunningPostgres, PostgresServer } from './postgres-server.js';

const isRoot = process.getuid?.() === 0;

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function until(check: () => Promise<unknown>, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

describe('embedded Postgres', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'citewell-embedded-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('keeps its data, refuses a second owner, and restarts after a kill', async () => {
    const directory = join(root, 'data');
    const first = await PostgresServer.start({ directory, fsync: false });
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    expect(await findRunningPostgres(directory)).toBe(first.url);
    await expect(PostgresServer.start({ directory, fsync: false })).rejects.toThrow(DataDirectoryInUseError);
    // The first still answers.
    expect(await query(first.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await first.stop();
    await first.stop();
    expect(await findRunningPostgres(directory)).toBeNull();

    const second = await PostgresServer.start({ directory, fsync: false });
    try {
      expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
      const { pid } = second;
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      await until(async () => expect(second.pid).not.toBe(pid));
      await until(() => query(second.url, 'SELECT n FROM kept'));
      // The restarted server has an owner again.
      const ownerLock = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'`;
      await until(async () => expect(await query(second.url, ownerLock)).toHaveLength(1));
      await expect(PostgresServer.start({ directory, fsync: false })).rejects.toThrow(
        DataDirectoryInUseError,
      );
    } finally {
      await second.stop();
    }
  });

  it('stays stopped when it is stopped during a restart', async () => {
    const directory = join(root, 'data');
    const server = await PostgresServer.start({ directory, fsync: false });
    process.kill(server.pid ?? 0, 'SIGKILL');
    await sleep(210);
    await server.stop();
    await sleep(500);
    expect(await findRunningPostgres(directory)).toBeNull();
  });

  /** Starts a server in a process of its own, kills that process, and returns the id of the server. */
  async function killParent(directory: string, signal: NodeJS.Signals | 'exit' | 'throw'): Promise<number> {
    const script = `
      import { PostgresServer } from ${JSON.stringify(new URL('./postgres-server.js', import.meta.url).href)};
      const server = await PostgresServer.start({ directory: ${JSON.stringify(directory)}, fsync: false });
      console.log(server.pid);
      process.stdin.on('data', (how) => {
        if (String(how) === 'exit') process.exit(3);
        throw new Error('thrown for the test');
      });`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // The data event's argument is the chunk.
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    if (signal === 'exit' || signal === 'throw') parent.stdin.write(signal);
    else parent.kill(signal);
    await once(parent, 'exit');
    return Number(line.toString());
  }

  it.each(['SIGKILL', 'SIGABRT', 'exit', 'throw'] as const)(
    'stops when its parent ends by %s, and keeps its data',
    async (signal) => {
      const directory = join(root, 'data');
      const orphan = await killParent(directory, signal);
      await until(async () => expect(() => process.kill(orphan, 0)).toThrow(/ESRCH/));
      // Postgres removes the file as the last step of a complete shutdown.
      expect(await readdir(join(directory, 'postgres'))).not.toContain('postmaster.pid');
      const log: string[] = [];
      const server = await PostgresServer.start({ directory, fsync: false, onLog: (line) => log.push(line) });
      expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
      expect(log.join('\n')).not.toMatch(/recovery|not properly shut down/);
      await server.stop();
    },
  );

  it('starts again while the server of a killed process still stops', async () => {
    const directory = join(root, 'data');
    const orphan = await killParent(directory, 'SIGKILL');
    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      expect(server.pid).not.toBe(orphan);
      expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    } finally {
      await server.stop();
    }
  });

  it('ignores incomplete data, and works in a directory that its account may not enter', async () => {
    const locked = join(root, 'locked');
    const directory = join(locked, 'inner');
    await mkdir(join(directory, 'postgres.new-999999999-0a1b2c3d', 'base'), { recursive: true });
    await writeFile(join(directory, 'postgres.new-999999999-0a1b2c3d', 'PG_VERSION'), '18');
    if (isRoot) await chmod(locked, 0o700);
    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      expect(await query(server.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      expect((await readdir(directory)).toSorted()).toEqual(['postgres', 'postgres.password']);
    } finally {
      await server.stop();
    }
  });

  it('reports why the data cannot be created', async () => {
    const directory = join(root, 'full');
    const script = `
      import { PostgresServer } from ${JSON.stringify(new URL('./postgres-server.js', import.meta.url).href)};
      await PostgresServer.start({ directory: ${JSON.stringify(directory)} }).catch((error) => console.log(error.message));`;
    // No file may grow beyond 8 kB, similar to a full disk.
    const command = 'ulimit -f 16; exec "$0" --input-type=module --eval "$1"';
    const child = spawn('sh', ['-c', command, process.execPath, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await once(child, 'close');
    expect(output).toMatch(/full could not be set up: .*(?:SIGXFSZ|error|fatal)/i);
    expect((await readdir(directory)).includes('postgres')).toEqual(false);
  });

  it('refuses a directory with other files', async () => {
    const directory = join(root, 'odd');
    await mkdir(join(directory, 'postgres', 'photos'), { recursive: true });
    await expect(PostgresServer.start({ directory })).rejects.toThrow(
      /postgres contains files that are not a database/,
    );
    expect(await readdir(join(directory, 'postgres'))).toEqual(['photos']);
  });
});
