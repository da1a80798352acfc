import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@citewell/blob-store';
import { type Config, loadConfig } from '@citewell/config';
import type { Stage } from '@citewell/contracts/schemas';
import {
  BlobRepository,
  type Batch,
  contentBlobKey,
  createDataSource,
  type DataSource,
  DatasourceRepository,
  DatastoreRepository,
  newId,
  OrganizationRepository,
  PurgeRepository,
  RunDispatchRepository,
  runBlobKey,
  type RunEntity,
  RunLifecycleRepository,
  TenantScope,
  type WrittenBlob,
} from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { spaceOf, openBlobStore, openVectorStore } from '@citewell/infrastructure';
import type { Point, VectorStore } from '@citewell/vector-store';
import { expect } from '@jest/globals';
import { run as doctor } from './doctor.command.js';
import { run as migrate } from './migrate.command.js';

const SPACE = spaceOf(null);
const CHUNKS = 3;
const TEXT = 'text';

/** The connections of a running installation. */
interface Connections {
  config: Config;
  postgres: PostgresServer;
  dataSource: DataSource;
  vectorStore: VectorStore;
  blobStore: BlobStore;
}

/** A running embedded installation without workers. Its methods do the work of the workers. */
export class TestInstallation {
  readonly blobs: BlobRepository;
  private readonly datasources: DatasourceRepository;
  private readonly dispatch: RunDispatchRepository;
  private readonly lifecycle: RunLifecycleRepository;
  private readonly claimed = new Map<string, Batch>();

  private constructor(
    private readonly connections: Connections,
    readonly scope: TenantScope,
    private readonly datastoreId: string,
  ) {
    const { dataSource } = connections;
    this.blobs = new BlobRepository(dataSource);
    this.datasources = new DatasourceRepository(dataSource);
    this.dispatch = new RunDispatchRepository(dataSource);
    this.lifecycle = new RunLifecycleRepository(dataSource, 'worker', 60);
  }

  get blobStore(): BlobStore {
    return this.connections.blobStore;
  }

  private get vectorStore(): VectorStore {
    return this.connections.vectorStore;
  }

  /** @param env variables of external services, such as QDRANT_URL */
  static async create(env: Record<string, string> = {}): Promise<TestInstallation> {
    const directory = await mkdtemp(join(tmpdir(), 'citewell-doctor-'));
    const config = loadConfig({ ...env, CITEWELL_DATA_DIR: directory });
    expect(await migrate([], { config, output: { write: () => undefined } })).toBe(0);
    const postgres = await PostgresServer.start({ directory, fsync: false });
    const dataSource = await createDataSource({
      url: postgres.url,
      poolSize: 4,
      applicationName: 'test',
    }).initialize();
    const key = { name: 'key', prefix: 'cw_', hash: newId(), scopes: ['admin'] };
    const { id } = await new OrganizationRepository(dataSource).create({ name: 'organization' }, key);
    const scope = new TenantScope(id);
    const datastore = await new DatastoreRepository(dataSource).create(scope, { name: 'datastore' });
    const stores = {
      vectorStore: await openVectorStore(config),
      blobStore: openBlobStore(config, dataSource),
    };
    assert.ok(datastore.ok);
    return new TestInstallation({ config, postgres, dataSource, ...stores }, scope, datastore.value.id);
  }

  /** Stops the installation and keeps its files. */
  async stop(): Promise<void> {
    const { vectorStore, blobStore, dataSource, postgres } = this.connections;
    await vectorStore.close();
    await blobStore.close();
    await dataSource.destroy();
    await postgres.stop();
  }

  async remove(): Promise<void> {
    await rm(this.connections.config.CITEWELL_DATA_DIR, { recursive: true, force: true });
  }

  async runDoctor(...args: string[]): Promise<{ code: number; output: string }> {
    const { config } = this.connections;
    let output = '';
    const code = await doctor(args, { config, output: { write: (text) => (output += text) } });
    return { code, output };
  }

  async sql(statement: string, parameters: unknown[] = []): Promise<void> {
    await this.connections.dataSource.transaction(async (manager) => {
      // Without triggers, which refuse states that do not follow each other.
      await manager.query('SET LOCAL session_replication_role = replica');
      await manager.query(statement, parameters);
    });
  }

  /**
   * Creates a text datasource and finishes its first run.
   *
   * @returns the id of the datasource, and its serving run
   */
  async createServedText(): Promise<{ id: string; run: RunEntity }> {
    const id = newId();
    const { organizationId } = this.scope;
    const key = contentBlobKey(organizationId, id, newId());
    const content = await this.putBlob({ key, datasourceId: id, runId: null });
    const fields = { name: TEXT, customId: null, config: {}, metadata: null, mimeType: 'text/plain' };
    await this.datasources.write(this.scope, [
      { id, datastoreId: this.datastoreId, type: 'text', content, ...fields },
    ]);
    return { id, run: await this.finishRun(id) };
  }

  /** Finishes the unfinished run, or the reindex, and purges the retired run. @returns the new serving run */
  async finishRun(id: string): Promise<RunEntity> {
    const { current } = await this.view(id);
    if (current?.stage === 'parsing') {
      const { run } = await this.leaseRun(id, 'parsing');
      await this.lifecycle.advance(run, 'indexing', { fingerprint: 'f', characters: TEXT.length });
    }
    const { run } = await this.leaseRun(id, 'indexing');
    for (const kind of ['text', 'outline', 'chunks'] as const) {
      await this.putBlob({ key: runBlobKey(run, kind), datasourceId: id, runId: run.id });
    }
    await this.vectorStore.ensureSpace(SPACE);
    await this.lifecycle.recordSpace(run, SPACE.name);
    for (let ordinal = 0; ordinal < CHUNKS; ordinal += 1) await this.addPoint(run, ordinal);
    await this.lifecycle.serve(run, { chunks: CHUNKS, characters: TEXT.length, bytes: 0, pages: 0 });
    await this.purge(id);
    const { serving } = await this.view(id);
    assert.ok(serving);
    return serving;
  }

  async view(id: string) {
    const view = await this.datasources.find(this.scope, id);
    assert.ok(view, 'the datasource does not exist');
    return view;
  }

  async addPoint(run: Pick<RunEntity, 'id' | 'datasourceId'>, ordinal: number): Promise<void> {
    const point: Point = {
      id: newId(),
      organizationId: this.scope.organizationId,
      datastoreId: this.datastoreId,
      datasourceId: run.datasourceId,
      groupId: null,
      runId: run.id,
      ordinal,
      text: TEXT,
      header: '',
      page: null,
      confidence: null,
      headingPath: [],
      anchor: null,
      start: 0,
      end: TEXT.length,
      contentHash: 'ab',
      lexical: { indices: [1], values: [1] },
      dense: [],
    };
    await this.vectorStore.upsert(SPACE, [point]);
  }

  async removePoints(run: RunEntity): Promise<void> {
    await this.vectorStore.deleteRun({ organizationId: this.scope.organizationId, runId: run.id });
  }

  /** Writes a blob and its database row. */
  async putBlob(blob: { key: string; datasourceId: string; runId: string | null }): Promise<WrittenBlob> {
    await this.blobs.announce([{ ...blob, organizationId: this.scope.organizationId }]);
    const written = { key: blob.key, ...(await this.blobStore.put(blob.key, Buffer.from(TEXT))) };
    await this.blobs.commitBlobs(this.scope.organizationId, [written]);
    return written;
  }

  private async leaseRun(id: string, stage: Stage) {
    for (const batch of await this.dispatch.claim(stage, 100))
      for (const delivery of batch.deliveries)
        this.claimed.set(delivery.datasourceId, { ...batch, deliveries: [delivery] });
    const claimed = this.claimed.get(id);
    assert.ok(claimed, 'the run cannot be claimed');
    const [leased] = await this.lifecycle.leaseBatch(claimed);
    assert.ok(leased, 'the run cannot be leased');
    return leased;
  }

  private async purge(id: string): Promise<void> {
    const purges = new PurgeRepository(this.connections.dataSource);
    const { organizationId } = this.scope;
    const retired = (await purges.retiredRuns(organizationId, [id])).map((run) => run.runId);
    for (const runId of retired) await this.vectorStore.deleteRun({ organizationId, runId });
    const keys = await purges.retiredBlobs(organizationId, [id], retired);
    await this.blobStore.delete(keys);
    await this.blobs.forget(keys);
    await purges.forgetPoints(retired);
    await this.sql('DELETE FROM purges WHERE target_id = $1', [id]);
  }
}
