import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'citewell-embedded-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('keeps its data, refuses a second owner, and restarts after a kill', async () => {
    const directory = join(root, 'data');
    const first = await PostgresServer.start({ directory, fsync: false });
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    assert.equal(await findRunningPostgres(directory), first.url);
    await assert.rejects(PostgresServer.start({ directory, fsync: false }), DataDirectoryInUseError);
    assert.deepEqual(await query(first.url, 'SELECT n FROM kept'), [{ n: 1 }], 'the first still answers');
    await first.stop();
    await first.stop();
    assert.equal(await findRunningPostgres(directory), null);

    const second = await PostgresServer.start({ directory, fsync: false });
    try {
      assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 1 }]);
      const { pid } = second;
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      await until(async () => assert.notEqual(second.pid, pid));
      await until(() => query(second.url, 'SELECT n FROM kept'));
      // The restarted server has an owner again.
      const ownerLock = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'`;
      await until(async () => assert.equal((await query(second.url, ownerLock)).length, 1));
      await assert.rejects(PostgresServer.start({ directory, fsync: false }), DataDirectoryInUseError);
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
    assert.equal(await findRunningPostgres(directory), null);
  });

  it('replaces the server that a killed process left running', async () => {
    const directory = join(root, 'data');
    const script = `
      import { PostgresServer } from ${JSON.stringify(new URL('./postgres-server.js', import.meta.url).href)};
      const server = await PostgresServer.start({ directory: ${JSON.stringify(directory)}, fsync: false });
      console.log(server.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // The data event's argument is the chunk.
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const orphan = Number(line.toString());
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    process.kill(orphan, 0);

    const server = await PostgresServer.start({ directory, fsync: false });
    try {
      assert.notEqual(server.pid, orphan);
      assert.deepEqual(await query(server.url, 'SELECT n FROM kept'), [{ n: 1 }]);
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
      assert.deepEqual(await query(server.url, 'SELECT 1 AS n'), [{ n: 1 }]);
      assert.deepEqual((await readdir(directory)).toSorted(), ['postgres', 'postgres.password']);
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
    assert.match(output, /full could not be set up: .*(?:SIGXFSZ|error|fatal)/i);
    assert.deepEqual((await readdir(directory)).includes('postgres'), false);
  });

  it('refuses a directory with other files', async () => {
    const directory = join(root, 'odd');
    await mkdir(join(directory, 'postgres', 'photos'), { recursive: true });
    await assert.rejects(
      PostgresServer.start({ directory }),
      /postgres contains files that are not a database/,
    );
    assert.deepEqual(await readdir(join(directory, 'postgres')), ['photos']);
  });
});
