import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '@citewell/config';
import { startQdrantServer } from '@citewell/testing';
import { contentBlobKey, newId, runBlobKey } from '@citewell/database';
import { Clinic } from '../doctor/clinic.fixture.js';
import { NoDatabaseError } from '../database-access.js';
import { run as doctor } from './doctor.command.js';

describe('citewell doctor', { timeout: 120_000 }, () => {
  let clinic: Clinic;
  before(async () => {
    clinic = await Clinic.open();
  });
  after(() => clinic.remove());

  async function isHealthy(): Promise<void> {
    const { code, text } = await clinic.examine();
    assert.equal(code, 0, text);
  }

  /** The damage is found, looking changes nothing, repairing mends it. */
  async function findsAndMends(problem: RegExp): Promise<void> {
    for (const args of [[], []]) {
      const { code, text } = await clinic.examine(...args);
      assert.match(text, problem);
      assert.equal(code, 1, text);
    }
    const { code, text } = await clinic.examine('--repair');
    assert.match(text, problem);
    assert.equal(code, 0, text);
  }

  it('finds nothing where nothing is wrong', async () => {
    await isHealthy();
    await clinic.served();
    await isHealthy();
  });

  it('deletes points of runs that do not exist', async () => {
    const run = { id: newId(), datasourceId: newId() };
    await clinic.addPoint(run, 0);
    await findsAndMends(new RegExp(`1 runs have points that nothing refers to: ${run.id}`));
    await isHealthy();
  });

  it('deletes points of runs that serve no more, unless a purge is on its way', async () => {
    const { id, run } = await clinic.served();
    await clinic.sql(`UPDATE datasources SET serving_run_id = NULL, status = 'error' WHERE id = $1`, [id]);
    await clinic.sql(`UPDATE organizations SET stored_characters = stored_characters - $1`, [run.characters]);
    const purge = [newId(), clinic.scope.organizationId, id];
    await clinic.sql(
      `INSERT INTO purges (id, organization_id, kind, target_id) VALUES ($1, $2, 'runs', $3)`,
      purge,
    );
    await isHealthy();
    await clinic.sql('DELETE FROM purges WHERE id = $1', [purge[0]]);
    await findsAndMends(/points that nothing refers to[\s\S]*something to purge and no purge/);
    await isHealthy();
    await clinic.sql('DELETE FROM purges');
    await clinic.sql('DELETE FROM datasources WHERE id = $1', [id]);
    await findsAndMends(/blobs belong to datasources that are gone/);
    await isHealthy();
  });

  it('indexes anew what has too few or too many points', async () => {
    for (const damage of ['removePoints', 'addPoint'] as const) {
      const { id, run } = await clinic.served();
      await (damage === 'removePoints' ? clinic.removePoints(run) : clinic.addPoint(run, 99));
      await findsAndMends(new RegExp(`1 serving runs have not the points that were counted: ${run.id}`));
      assert.equal((await clinic.view(id)).current?.trigger, 'reindex');
      assert.notEqual((await clinic.work(id)).id, run.id);
      await isHealthy();
    }
  });

  it('reads anew what lacks a text, an outline or a list of chunks', async () => {
    for (const kind of ['text', 'outline', 'chunks'] as const) {
      const { id, run } = await clinic.served();
      await clinic.blobStore.delete([runBlobKey(run, kind)]);
      await findsAndMends(new RegExp(`1 serving runs lack their text, outline or list of chunks: ${run.id}`));
      const { current, serving } = await clinic.view(id);
      assert.equal(current?.stage, 'parsing');
      assert.equal(serving?.fingerprint, null, 'equal bytes would be taken for nothing new');
      await clinic.work(id);
      await isHealthy();
    }
  });

  it('cannot bring back a file, and says so', async () => {
    const { id } = await clinic.served();
    const { datasource } = await clinic.view(id);
    const key = datasource.contentKey ?? '';
    await clinic.blobStore.delete([key]);
    const { code, text } = await clinic.examine('--repair');
    assert.equal(code, 1);
    assert.match(
      text,
      new RegExp(`1 datasources have lost their original bytes: ${id}\\n {2}Their chunks still answer`),
    );
    await clinic.blobStore.put(key, Buffer.from('text'));
    await isHealthy();
  });

  it('deletes blobs that no row names, if they are old or their datasource is gone', async () => {
    const { organizationId } = clinic.scope;
    const gone = contentBlobKey(organizationId, newId(), newId());
    await clinic.blobStore.put(gone, Buffer.from('x'));
    await findsAndMends(new RegExp(`1 blobs are in no table: ${gone}`));
    assert.equal(await clinic.blobStore.stat(gone), null);
    const { id } = await clinic.served();
    const young = contentBlobKey(organizationId, id, newId());
    await clinic.blobStore.put(young, Buffer.from('x'));
    await isHealthy();
    await clinic.blobStore.delete([young]);
  });

  it('resolves statuses that contradict what is there', async () => {
    const [calm, running, empty, dangling] = [
      await clinic.served(),
      await clinic.served(),
      await clinic.served(),
      await clinic.served(),
    ];
    await clinic.sql(`UPDATE datasources SET status = 'unsynched' WHERE id = $1`, [calm.id]);
    await clinic.sql(`UPDATE datasources SET status = 'running' WHERE id = $1`, [running.id]);
    await clinic.sql('UPDATE datasources SET serving_run_id = NULL WHERE id = $1', [empty.id]);
    await clinic.sql('UPDATE datasources SET serving_run_id = $2 WHERE id = $1', [dangling.id, newId()]);
    await findsAndMends(/4 datasources have a status that contradicts what they have/);
    for (const { id } of [calm, running]) assert.equal((await clinic.view(id)).datasource.status, 'synched');
    for (const { id } of [empty, dangling]) await clinic.work(id);
    await isHealthy();
  });

  it('counts storage anew', async () => {
    await clinic.sql('UPDATE organizations SET stored_characters = stored_characters + 7');
    await findsAndMends(/1 organizations have a wrong count of stored characters/);
    await isHealthy();
  });

  it('lets stuck runs wait for a worker again', async () => {
    const { id } = await clinic.served();
    for (const state of [`'active', lease_owner = 'dead', lease_until`, `'queued', queued_at`]) {
      await clinic.sql(
        `INSERT INTO runs (id, organization_id, datasource_id, trigger, stage, content_key)
         SELECT $1, organization_id, id, 'sync', 'parsing', content_key FROM datasources WHERE id = $2`,
        [newId(), id],
      );
      await isHealthy();
      await clinic.sql(
        `UPDATE runs SET state = ${state} = now() - interval '1 hour' WHERE datasource_id = $1 AND state = 'pending'`,
        [id],
      );
      await findsAndMends(/1 runs are stuck beyond any lease/);
      await clinic.work(id);
      await isHealthy();
    }
  });

  it('hurries overdue purges and makes missing ones', async () => {
    const { id } = await clinic.served();
    await clinic.sql('UPDATE datasources SET deleted_at = now() WHERE id = $1', [id]);
    await findsAndMends(
      /wrong count of stored characters[\s\S]*1 datasources or datastores have something to purge and no purge/,
    );
    await isHealthy();
    await clinic.sql(`UPDATE purges SET not_before = now() - interval '1 hour'`);
    await findsAndMends(/1 purges are overdue/);
    await isHealthy();
    await clinic.sql('DELETE FROM purges');
    await clinic.sql('DELETE FROM datasources WHERE id = $1', [id]);
    await clinic.examine('--repair');
    await isHealthy();
  });

  it('looks no further where the schema is old', async () => {
    await clinic.sql(`UPDATE migrations SET name = 'x' || name`);
    const { code, text } = await clinic.examine('--repair');
    await clinic.sql(`UPDATE migrations SET name = substr(name, 2)`);
    assert.equal(code, 1);
    assert.equal(text, '✖ schema: older than this release; run "citewell migrate"\n');
  });

  it('does not empty a store of which the database knows nothing', async () => {
    await clinic.sql('DELETE FROM datasources');
    await clinic.sql('UPDATE organizations SET stored_characters = 0');
    const { code, text } = await clinic.examine('--repair');
    assert.equal(code, 1);
    assert.match(
      text,
      /points that nothing refers to[^\n]*\n {2}Nothing in the vector store is known to this database/,
    );
    assert.equal((await clinic.examine('--repair', '--force')).code, 0);
    await isHealthy();
  });

  it('examines an installation that is stopped', async () => {
    const { run } = await clinic.served();
    await clinic.removePoints(run);
    await clinic.stop();
    const { code, text } = await clinic.examine();
    assert.equal(code, 1);
    assert.match(text, new RegExp(`not the points that were counted: ${run.id}`));
    assert.equal((await clinic.examine('--repair')).code, 0);
  });
});

it('citewell doctor looks into Qdrant where that is configured, and says when it cannot', async () => {
  const qdrant = await startQdrantServer();
  const clinic = await Clinic.open({ QDRANT_URL: qdrant.url });
  try {
    const { id, run } = await clinic.served();
    assert.equal((await clinic.examine()).code, 0);
    await clinic.removePoints(run);
    const orphan = { id: newId(), datasourceId: newId() };
    await clinic.addPoint(orphan, 0);
    await clinic.addPoint({ id: run.id, datasourceId: id }, 0);
    const { code, text } = await clinic.examine('--repair');
    assert.equal(code, 0, text);
    assert.match(text, new RegExp(`refers to: ${orphan.id}\\n[\\s\\S]*were counted: ${run.id}\\n`));
    await clinic.work(id);
    assert.equal((await clinic.examine()).code, 0);
    await qdrant.close();
    assert.deepEqual(await clinic.examine(), { code: 1, text: '✖ vectors: does not answer\n' });
  } finally {
    await clinic.stop();
    await clinic.remove();
  }
});

it('citewell doctor makes no database where there is none, and knows its options', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-nothing-'));
  const config = loadConfig({ CITEWELL_DATA_DIR: directory });
  await assert.rejects(doctor([], { config }), NoDatabaseError);
  await rm(directory, { recursive: true });
  let text = '';
  assert.equal(await doctor(['--mend'], { config, output: { write: (part) => (text += part) } }), 2);
  assert.match(text, /^Usage: citewell doctor/);
});
