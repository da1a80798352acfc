import type { DatasourceType } from '@citewell/contracts/http';
import type { EntityManager } from 'typeorm';
import { commitBlobs, type WrittenBlob } from '../blobs/blob.repository.js';
import { valuesOf } from '../connection/columns.js';
import { newId } from '../connection/new-id.js';
import { requestPurges } from '../purging/request-purges.js';
import { announceRun } from '../runs/dispatch-channels.js';
import { endRuns } from '../runs/end-runs.js';
import { startRun } from '../runs/start-run.js';
import { DatasourceEntity } from './datasource.entity.js';

// Each function works in a transaction of the caller.

export interface NewDatasource {
  /** Given where something, such as its content in the blob store, had to be named before. */
  id?: string;
  datastoreId: string;
  type: DatasourceType;
  name: string;
  customId: string | null;
  config: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  mimeType: string | null;
  /** Its bytes, which are in the blob store and belong to the datasource from now on. */
  content: WrittenBlob | null;
  nextSyncAt?: Date | null;
}

/** The content of a file or text, and what changes with it. */
export type NewContent = WrittenBlob & {
  mimeType: string | null;
  name?: string;
  metadata?: Record<string, unknown> | null;
};

/** Inserts a datasource with its first run, which the caller announces. @returns its id */
export async function insertDatasource(
  manager: EntityManager,
  organizationId: string,
  { id = newId(), content, ...fields }: NewDatasource,
): Promise<string> {
  const datasource = manager.create(DatasourceEntity, {
    ...fields,
    id,
    organizationId,
    contentKey: content?.key ?? null,
  });
  await manager.insert(DatasourceEntity, valuesOf(datasource));
  if (content) await commitBlobs(manager, organizationId, [content]);
  await startRun(manager, datasource, 'create');
  return id;
}

/**
 * Replaces the content of a file or text, and starts a run. An unfinished run ends, as it reads the old content. The
 * caller holds the lock of the datasource.
 */
export async function replaceContent(
  manager: EntityManager,
  datasource: DatasourceEntity,
  { key, bytes, sha256, mimeType, name, metadata }: NewContent,
): Promise<void> {
  const { id, organizationId } = datasource;
  await endRuns(manager, organizationId, [id]);
  const changes = valuesOf<DatasourceEntity>({ contentKey: key, mimeType, name, metadata });
  await manager.createQueryBuilder().update(DatasourceEntity).set(changes).where({ id }).execute();
  await commitBlobs(manager, organizationId, [{ key, bytes, sha256 }]);
  await startRun(manager, await manager.findOneByOrFail(DatasourceEntity, { id }), 'update');
  // Removes what the ended run has written, and bytes that are neither served nor read any more.
  await requestPurges(manager, organizationId, 'runs', [id]);
  await announceRun(manager);
}
