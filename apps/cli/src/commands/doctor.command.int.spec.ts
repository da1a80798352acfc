import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@citewell/config';
import { startQdrantServer } from '@citewell/testing';
import { contentBlobKey, newId, runBlobKey } from '@citewell/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestInstallation } from './test-installation.fixtures.js';
import { run as doctor } from './doctor.command.js';

describe('citewell doctor', () => {
  let installation: TestInstallation;
  beforeAll(async () => {
    installation = await TestInstallation.create();
  });
  afterAll(() => installation.remove());

  async function expectNoFindings(): Promise<void> {
    const { code, output } = await installation.runDoctor();
    expect([output, code]).toEqual([output, 0]);
  }

  /** The doctor finds the problem, and only repairs it with --repair, which finds it, too. */
  async function expectFindingAndRepair(problem: RegExp): Promise<void> {
    for (const [args, expected] of [
      [[], 1],
      [['--repair'], 0],
    ] as const) {
      const { code, output } = await installation.runDoctor(...args);
      expect(output).toMatch(problem);
      expect([output, code]).toEqual([output, expected]);
    }
  }

  it('finds no problem in an intact installation', async () => {
    await expectNoFindings();
    await installation.createServedText();
    await expectNoFindings();
  });

  it('deletes points of runs that do not exist', async () => {
    const run = { id: newId(), datasourceId: newId() };
    await installation.addPoint(run, 0);
    await expectFindingAndRepair(new RegExp(`runs with orphaned points \\(1\\): ${run.id}`));
    await expectNoFindings();
  });

  it('deletes points of runs that no longer serve, unless they have a purge', async () => {
    const { id, run } = await installation.createServedText();
    await installation.sql(`UPDATE datasources SET serving_run_id = NULL, status = 'error' WHERE id = $1`, [
      id,
    ]);
    await installation.sql(`UPDATE organizations SET stored_characters = stored_characters - $1`, [
      run.characters,
    ]);
    const purge = [newId(), installation.scope.organizationId, id];
    await installation.sql(
      `INSERT INTO purges (id, organization_id, kind, target_id) VALUES ($1, $2, 'runs', $3)`,
      purge,
    );
    await expectNoFindings();
    await installation.sql('DELETE FROM purges WHERE id = $1', [purge[0]]);
    await expectFindingAndRepair(/orphaned points[\s\S]*data to purge, but without a purge/);
    await expectNoFindings();
    await installation.sql('DELETE FROM purges');
    await installation.sql('DELETE FROM datasources WHERE id = $1', [id]);
    await expectFindingAndRepair(/blobs of deleted datasources/);
    await expectNoFindings();
  });

  it('indexes a run with too few or too many points again', async () => {
    for (const damage of ['removePoints', 'addPoint'] as const) {
      const { id, run } = await installation.createServedText();
      await (damage === 'removePoints' ? installation.removePoints(run) : installation.addPoint(run, 99));
      await expectFindingAndRepair(
        new RegExp(`serving runs with a wrong number of points \\(1\\): ${run.id}`),
      );
      expect((await installation.finishRun(id)).id).not.toBe(run.id);
      await expectNoFindings();
    }
  });

  it('parses a run without its text, outline, tables or list of chunks again', async () => {
    for (const kind of ['text', 'outline', 'tables', 'chunks'] as const) {
      const { id, run } = await installation.createServedText();
      if (kind === 'tables')
        await installation.putBlob({ key: runBlobKey(run, kind), datasourceId: id, runId: run.id });
      await installation.blobStore.delete([runBlobKey(run, kind)]);
      await expectFindingAndRepair(
        new RegExp(`whose text, outline or list of chunks is missing or damaged \\(1\\): ${run.id}`),
      );
      const { current, serving } = await installation.view(id);
      expect(current?.stage).toBe('parsing');
      // With the old fingerprint, the sync would skip unchanged content.
      expect(serving?.fingerprint).toBeNull();
      await installation.finishRun(id);
      await expectNoFindings();
    }
  });

  it.each([
    ['shorter', 'te', []],
    ['longer', 'texts', []],
    ['empty', '', []],
    ['of the same size', 'tent', ['--deep']],
  ])('finds blobs that are %s', async (_, damaged, options) => {
    const { id, run } = await installation.createServedText();
    const content = (await installation.view(id)).datasource.contentKey ?? '';
    for (const [key, problem] of [
      [runBlobKey(run, 'outline'), `list of chunks is missing or damaged \\(1\\): ${run.id}`],
      [content, `original content is missing or damaged \\(1\\): ${id}`],
    ] as const) {
      await installation.blobStore.put(key, Buffer.from(damaged));
      if (options.length > 0) await expectNoFindings();
      const { code, output } = await installation.runDoctor(...options);
      expect(output).toMatch(new RegExp(problem));
      expect([output, code]).toEqual([output, 1]);
      await installation.blobStore.put(key, Buffer.from('text'));
    }
    await expectNoFindings();
  });

  it('cannot restore a file, and advises the operator', async () => {
    const { id } = await installation.createServedText();
    const { datasource } = await installation.view(id);
    const key = datasource.contentKey ?? '';
    await installation.blobStore.delete([key]);
    const { code, output } = await installation.runDoctor('--repair');
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(
        `datasources whose original content is missing or damaged \\(1\\): ${id}\\n {2}Their chunks still serve`,
      ),
    );
    await installation.blobStore.put(key, Buffer.from('text'));
    await expectNoFindings();
  });

  it('deletes blobs without a row if they are old or their datasource does not exist', async () => {
    const { organizationId } = installation.scope;
    const orphan = contentBlobKey(organizationId, newId(), newId());
    await installation.blobStore.put(orphan, Buffer.from('x'));
    await expectFindingAndRepair(new RegExp(`blobs without a database row \\(1\\): ${orphan}`));
    expect(await installation.blobStore.stat(orphan)).toBeNull();
    const { id } = await installation.createServedText();
    const young = contentBlobKey(organizationId, id, newId());
    await installation.blobStore.put(young, Buffer.from('x'));
    await expectNoFindings();
    await installation.blobStore.delete([young]);
  });

  it('corrects wrong statuses', async () => {
    const [unsynched, running, unserved, dangling] = [
      await installation.createServedText(),
      await installation.createServedText(),
      await installation.createServedText(),
      await installation.createServedText(),
    ];
    await installation.sql(`UPDATE datasources SET status = 'unsynched' WHERE id = $1`, [unsynched.id]);
    await installation.sql(`UPDATE datasources SET status = 'running' WHERE id = $1`, [running.id]);
    await installation.sql('UPDATE datasources SET serving_run_id = NULL WHERE id = $1', [unserved.id]);
    await installation.sql('UPDATE datasources SET serving_run_id = $2 WHERE id = $1', [
      dangling.id,
      newId(),
    ]);
    await expectFindingAndRepair(/datasources with a wrong status \(4\)/);
    for (const { id } of [unsynched, running])
      expect((await installation.view(id)).datasource.status).toBe('synched');
    for (const { id } of [unserved, dangling]) await installation.finishRun(id);
    await expectNoFindings();
  });

  it('corrects the count of stored characters', async () => {
    await installation.sql('UPDATE organizations SET stored_characters = stored_characters + 7');
    await expectFindingAndRepair(/organizations with a wrong count of stored characters \(1\)/);
    await expectNoFindings();
  });

  it('releases stuck runs', async () => {
    const { id } = await installation.createServedText();
    for (const state of [`'active', lease_owner = 'dead', lease_until`, `'queued', queued_at`]) {
      await installation.sql(
        `INSERT INTO runs (id, organization_id, datasource_id, trigger, stage, content_key)
         SELECT $1, organization_id, id, 'sync', 'parsing', content_key FROM datasources WHERE id = $2`,
        [newId(), id],
      );
      await expectNoFindings();
      await installation.sql(
        `UPDATE runs SET state = ${state} = now() - interval '1 hour' WHERE datasource_id = $1 AND state = 'pending'`,
        [id],
      );
      await expectFindingAndRepair(/stuck runs \(1\)/);
      await installation.finishRun(id);
      await expectNoFindings();
    }
  });

  it('makes overdue purges due and creates missing purges', async () => {
    const { id } = await installation.createServedText();
    await installation.sql('UPDATE datasources SET deleted_at = now() WHERE id = $1', [id]);
    await expectFindingAndRepair(
      /wrong count of stored characters[\s\S]*data to purge, but without a purge \(1\)/,
    );
    await expectNoFindings();
    await installation.sql(`UPDATE purges SET not_before = now() - interval '1 hour'`);
    await expectFindingAndRepair(/overdue purges \(1\)/);
    await expectNoFindings();
    await installation.sql('DELETE FROM purges');
    await installation.sql('DELETE FROM datasources WHERE id = $1', [id]);
    await installation.runDoctor('--repair');
    await expectNoFindings();
  });

  it('stops if the schema is out of date', async () => {
    await installation.sql(`UPDATE migrations SET name = 'x' || name`);
    const { code, output } = await installation.runDoctor('--repair');
    await installation.sql(`UPDATE migrations SET name = substr(name, 2)`);
    expect(code).toBe(1);
    expect(output).toBe(
      '✖ schema: older than this release\n  Run "citewell migrate".\n✔ queue\n✔ vectors\n✔ blobs\n',
    );
  });

  it('does not delete the content of an unknown store without --force', async () => {
    await installation.sql('DELETE FROM datasources');
    await installation.sql('UPDATE organizations SET stored_characters = 0');
    const { code, output } = await installation.runDoctor('--repair');
    expect(code).toBe(1);
    expect(output).toMatch(/orphaned points[^\n]*\n {2}The database knows no run of this vector store/);
    expect((await installation.runDoctor('--repair', '--force')).code).toBe(0);
    await expectNoFindings();
  });

  it('prints one JSON object with --json, and returns the same exit code', async () => {
    const readReport = async (...args: string[]): Promise<unknown> => {
      const { code, output } = await installation.runDoctor('--json', ...args);
      return { code, ...(JSON.parse(output) as object) };
    };
    const intact: object[] = ['schema and dependencies', 'blobs', 'points', 'rows'].map((name) => ({
      name,
      state: 'ok',
      message: null,
      ids: [],
      nextStep: null,
    }));
    expect(await readReport()).toEqual({ code: 0, ok: true, checks: intact });
    const [, , points] = intact;
    const run = { id: newId(), datasourceId: newId() };
    await installation.createServedText();
    await installation.addPoint(run, 0);
    const damage = { ...points, message: 'runs with orphaned points', ids: [run.id] };
    const withPoints = (entry: object): object[] => intact.toSpliced(2, 1, { ...damage, ...entry });
    expect(await readReport()).toEqual({
      code: 1,
      ok: false,
      checks: withPoints({ state: 'problem', nextStep: 'Use --repair to repair this.' }),
    });
    expect(await readReport('--repair')).toEqual({
      code: 0,
      ok: true,
      checks: withPoints({ state: 'repaired', nextStep: 'The points are deleted.' }),
    });
  });

  it('checks a stopped installation', async () => {
    const { run } = await installation.createServedText();
    await installation.removePoints(run);
    await installation.stop();
    const { code, output } = await installation.runDoctor();
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`wrong number of points \\(1\\): ${run.id}`));
    expect((await installation.runDoctor('--repair')).code).toBe(0);
  });
});

it('citewell doctor checks a configured Qdrant server and reports when it is unreachable', async () => {
  const qdrant = await startQdrantServer();
  const installation = await TestInstallation.create({ QDRANT_URL: qdrant.url });
  try {
    const { id, run } = await installation.createServedText();
    expect((await installation.runDoctor()).code).toBe(0);
    await installation.removePoints(run);
    const orphan = { id: newId(), datasourceId: newId() };
    await installation.addPoint(orphan, 0);
    await installation.addPoint({ id: run.id, datasourceId: id }, 0);
    const { code, output } = await installation.runDoctor('--repair');
    expect([output, code]).toEqual([output, 0]);
    expect(output).toMatch(
      new RegExp(`orphaned points \\(1\\): ${orphan.id}\\n[\\s\\S]*number of points \\(1\\): ${run.id}\\n`),
    );
    await installation.finishRun(id);
    expect((await installation.runDoctor()).code).toBe(0);
    await qdrant.close();
    expect(await installation.runDoctor()).toEqual({
      code: 1,
      output:
        '✔ schema\n✔ queue\n✖ vectors: does not answer\n' +
        '  Check that it runs, and its address in the configuration of the server.\n✔ blobs\n',
    });
  } finally {
    await installation.stop();
    await installation.remove();
  }
});

it('citewell doctor does not create a database and rejects unknown options', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-nothing-'));
  const config = loadConfig({ CITEWELL_DATA_DIR: directory });
  const message = (problem: string): string =>
    `The data directory ${directory} ${problem}. Set CITEWELL_DATA_DIR to the data directory of the service`;
  await expect(doctor([], { config })).rejects.toThrow(message('contains no database'));
  expect(await readdir(directory)).toEqual([]);
  await rm(directory, { recursive: true });
  await expect(doctor([], { config })).rejects.toThrow(message('does not exist'));
  await expect(doctor(['--repiar'], { config })).rejects.toThrow('Did you mean --repair?');
});
