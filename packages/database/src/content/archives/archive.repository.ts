import type { ExportKind } from '@citewell/contracts/schemas';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { execute, type Executor, queryRows, sql } from '../../connection/sql.js';
import { insertDatasources, updateDatasources } from '../../ingestion/runs/datasource-rows.js';
import { markUnsynched } from '../../ingestion/runs/datasource-status.js';
import { announceRun } from '../../ingestion/runs/dispatch.js';
import type { GroupRunRepository } from '../../ingestion/runs/group-run.repository.js';
import { lockDatasourceOf } from '../../ingestion/runs/lease.js';
import { deleteDatasources } from '../../ingestion/runs/out-of-service.js';
import { replaceContents } from '../../ingestion/runs/site-and-archive-runs.js';
import { startFileRuns, startReindexing } from '../../ingestion/runs/start-run.js';
import { UNFINISHED } from '../../ingestion/runs/transitions.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { commitBlobs, type WrittenBlob } from '../blobs/blob.repository.js';

/** The files of archives, which are datasources with the archive as their group. */
export class ArchiveRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly groupRuns: GroupRunRepository,
  ) {}

  /** The ids of the files of an archive, by path. @param run of the archive */
  async fileIds({ organizationId, datasourceId }: RunEntity): Promise<Map<string, string>> {
    const rows = await queryRows<{ id: string; path: string }>(
      this.dataSource,
      sql`SELECT id, custom_id AS path FROM datasources
           WHERE organization_id = ${organizationId} AND group_id = ${datasourceId} AND deleted_at IS NULL
             AND custom_id IS NOT NULL`,
    );
    return new Map(rows.map(({ id, path }) => [path, id]));
  }

  /** The encoding that was chosen for the archive with this id; null when none was, or when the id is not an archive's. */
  async chosenEncoding(organizationId: string, archiveId: string): Promise<string | null> {
    const [row] = await queryRows<{ encoding: string | null }>(
      this.dataSource,
      sql`SELECT config ->> 'encoding' AS encoding FROM datasources
           WHERE organization_id = ${organizationId} AND id = ${archiveId} AND type = 'file'`,
    );
    return row?.encoding ?? null;
  }

  /**
   * Makes the unpacked files the files of the archive, and has its run wait for theirs: all or nothing. Adds new files,
   * replaces changed ones, and deletes those that are missing.
   *
   * @param outcome.unread ids of files that the archive has and that cannot be read: they stay as they are
   * @param outcome.warning which files were skipped; null for none
   * @param outcome.exportOf the program that exported the archive; null for none
   * @returns keys of blobs that nothing refers to
   * @throws LeaseLostError also when the archive was deleted meanwhile
   */
  async replaceFiles(
    run: RunEntity,
    files: readonly ArchivedFile[],
    {
      unread,
      warning,
      exportOf,
    }: { unread: readonly string[]; warning: string | null; exportOf: ExportKind | null },
  ): Promise<readonly string[]> {
    return this.dataSource.transaction(async (manager) => {
      const { datastoreId } = await lockDatasourceOf(manager, run);
      const existing = await lockFiles(manager, run);
      const { added, changed, renamed, misnamed, repeated, missing, unused } = compareFiles(
        existing,
        files,
        unread,
        run.trigger !== 'update',
      );
      await insertDatasources(
        manager,
        added.map(({ datasourceId: id, path, content: { key: contentKey }, ...file }) => {
          const { organizationId, datasourceId: groupId } = run;
          return {
            ...file,
            id,
            organizationId,
            datastoreId,
            type: 'file',
            groupId,
            customId: path,
            contentKey,
          };
        }),
      );
      await replaceContents(manager, run.organizationId, changed);
      await updateDatasources(manager, renamed);
      await commitBlobs(
        manager,
        run.organizationId,
        [...added, ...changed].map(({ content }) => content),
      );
      const restarted = [...changed.map(({ datasourceId }) => datasourceId), ...repeated];
      await markUnsynched(manager, restarted);
      await startFileRuns(manager, run, [...added.map(({ datasourceId }) => datasourceId), ...restarted]);
      // Names are part of the index.
      await startReindexing(manager, misnamed, 'embedding');
      await deleteDatasources(manager, run.organizationId, sql`id = ANY(${missing})`);
      const total = files.length;
      if (exportOf !== null)
        await execute(
          manager,
          sql`UPDATE runs SET counts = ${JSON.stringify({ exportOf })}::jsonb WHERE id = ${run.id}`,
        );
      await this.groupRuns.waitForPages(run, { done: total, total, pages: total }, warning, manager);
      await announceRun(manager);
      return unused;
    });
  }
}

/** Locks the files of an archive in the order of their ids. */
async function lockFiles(
  manager: Executor,
  { organizationId, datasourceId }: RunEntity,
): Promise<ExistingFile[]> {
  return queryRows(
    manager,
    sql`SELECT d.id, d.name, d.metadata, b.sha256, d.mime_type AS "mimeType", d.status = 'synched' AS "isSynched",
               EXISTS (SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED}) AS "isBusy"
          FROM datasources d LEFT JOIN blobs b ON b.key = d.content_key
         WHERE d.organization_id = ${organizationId} AND d.group_id = ${datasourceId} AND d.deleted_at IS NULL
         ORDER BY d.id FOR UPDATE OF d`,
  );
}

/** A file of an archive that was unpacked into the blob store. */
export interface ArchivedFile {
  readonly datasourceId: string;
  /** Whether the archive had no such file when unpacking began. */
  readonly isNew: boolean;
  readonly path: string;
  readonly name: string;
  /** Of a file of an export: its place and its links. Others have none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly mimeType: string;
  readonly content: WrittenBlob;
}

/** A file of an archive that is a datasource already. */
export interface ExistingFile {
  readonly id: string;
  readonly name: string;
  readonly metadata: Record<string, unknown> | null;
  readonly sha256: string | null;
  readonly mimeType: string | null;
  readonly isSynched: boolean;
  /** It has an unfinished run. */
  readonly isBusy: boolean;
}

interface FileChanges {
  readonly added: readonly ArchivedFile[];
  readonly changed: readonly ArchivedFile[];
  /** Files of an export whose name or metadata are not as before. */
  readonly renamed: readonly { id: string; name: string; metadata: Record<string, unknown> | null }[];
  /** Ids of files with the same content whose index has another name. */
  readonly misnamed: readonly string[];
  /** Ids of files with the same content that are processed again. */
  readonly repeated: readonly string[];
  /** Ids of files that the archive no longer has. */
  readonly missing: readonly string[];
  /** Blobs that nothing will refer to: of equal files, and of files that were deleted during unpacking. */
  readonly unused: readonly string[];
}

/**
 * Compares the files of an archive with its datasources. Equal files that are not up to date are processed again.
 *
 * @param unread ids of files that are not missing
 * @param repeatsEqual all equal files are processed again, which is short for those whose text would be the same
 */
export function compareFiles(
  existing: readonly ExistingFile[],
  unpacked: readonly ArchivedFile[],
  unread: readonly string[],
  repeatsEqual: boolean,
): FileChanges {
  const existingById = new Map(existing.map((file) => [file.id, file]));
  const presentIds = new Set([...unpacked.map(({ datasourceId }) => datasourceId), ...unread]);
  const isEqual = ({ datasourceId, content, mimeType }: ArchivedFile): boolean => {
    const file = existingById.get(datasourceId);
    return file?.sha256 === content.sha256 && file.mimeType === mimeType;
  };
  const added = unpacked.filter(({ isNew }) => isNew);
  const changed = unpacked.filter((file) => existingById.has(file.datasourceId) && !isEqual(file));
  const used = new Set([...added, ...changed]);
  const equalIds = new Set(unpacked.filter(isEqual).map(({ datasourceId }) => datasourceId));
  const renamed = unpacked.flatMap(({ datasourceId: id, name, metadata }) => {
    const file = existingById.get(id);
    if (file === undefined) return [];
    // Files of other archives keep a name that a person has chosen.
    if (metadata === undefined) return file.metadata === null ? [] : { id, name, metadata: null };
    const isSame = file.name === name && isDeepStrictEqual(file.metadata, metadata);
    return isSame ? [] : { id, name, metadata: { ...metadata } };
  });
  return {
    added,
    changed,
    renamed,
    misnamed: renamed
      .filter(({ id, name }) => equalIds.has(id) && existingById.get(id)?.name !== name)
      .map(({ id }) => id),
    repeated: existing
      .filter(({ id, isBusy, isSynched }) => equalIds.has(id) && !isBusy && (repeatsEqual || !isSynched))
      .map(({ id }) => id),
    missing: existing.filter(({ id }) => !presentIds.has(id)).map(({ id }) => id),
    unused: unpacked.filter((file) => !used.has(file)).map(({ content }) => content.key),
  };
}
