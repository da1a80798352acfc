import { MAX_NAME_LENGTH } from '@citewell/contracts/schemas';
import { execute, type Executor, jsonOfRows, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { WrittenBlob } from '../../content/blobs/blob.repository.js';
import { type DocumentAccess, principalsOf } from '../../content/readers/principals.js';
import type { RunEntity, SourceDocumentEntity } from '../../schema/ingestion.entities.js';
import { recordReturned } from '../runs/record-changes.js';
import type { ListedGroup } from './source-groups.js';

// The statements of `SourceSyncRepository` about the documents of a source. Their caller holds the lease of its run.

/** A document as a page of an inventory has it. Null for what the source does not tell. */
export type ListedDocument = Pick<
  SourceDocumentEntity,
  'documentId' | 'path' | 'version' | 'bytes' | 'modifiedAt' | 'url' | 'isWanted'
> & { readonly access: DocumentAccess };

/** What a source lists and cannot give. */
export interface UnavailableDocument {
  readonly documentId: string;
  readonly path: string;
  readonly reason: string;
  /** Whether it is a folder: the known documents below it count as listed. */
  readonly isFolder: boolean;
  /** Whether the source names readers of it. */
  readonly isRestricted: boolean;
}

export interface ListedPage {
  readonly documents: readonly ListedDocument[];
  readonly unavailable: readonly UnavailableDocument[];
  readonly groups: readonly ListedGroup[];
  /** Null when everything is listed. */
  readonly cursor: string | null;
}

/** A document that has to be fetched. */
export interface DueDocument {
  readonly documentId: string;
  readonly path: string;
  readonly version: string;
  /** Null if the source does not tell it. */
  readonly bytes: number | null;
  readonly url: string | null;
  readonly modifiedAt: Date | null;
  /** The datasource that has its former content; null for a new document. */
  readonly datasourceId: string | null;
  /** Whether the source names readers of it. */
  readonly isRestricted: boolean;
}

/** What became of a due document. */
export type FetchOutcome = Pick<DueDocument, 'documentId' | 'path' | 'url' | 'modifiedAt'> &
  (
    | {
        readonly reason: string;
        /** The version that will not be tried again; null to try it again. */
        readonly version: string | null;
        readonly datasourceId: string | null;
      }
    | {
        readonly reason: null;
        readonly version: string;
        readonly datasourceId: string;
        readonly isNew: boolean;
        readonly mimeType: string;
        readonly content: WrittenBlob;
      }
  );

export type Fetched = Extract<FetchOutcome, { reason: null }>;

/** What a datasource says of its document. */
export function describe({ path, url, modifiedAt }: Pick<DueDocument, 'path' | 'url' | 'modifiedAt'>) {
  return {
    name: path.slice(path.lastIndexOf('/') + 1).slice(0, MAX_NAME_LENGTH),
    metadata: {
      path,
      ...(url === null ? {} : { url }),
      ...(modifiedAt === null ? {} : { modifiedAt: modifiedAt.toISOString() }),
    },
  };
}

/** @returns how many of the documents are wanted, and how many of these are due */
export async function upsertDocuments(
  manager: Executor,
  run: RunEntity,
  documents: readonly ListedDocument[],
): Promise<{ found: number; due: number }> {
  const listed = documents.map((one) => ({ ...one, access: principalsOf(run.datasourceId, one.access) }));
  const rows = await queryRows<{ isDue: boolean; isWanted: boolean }>(
    manager,
    sql`INSERT INTO source_documents AS known (source_id, document_id, organization_id, path, version, bytes, modified_at,
                                               url, is_wanted, found_in, is_due, access)
        SELECT ${run.datasourceId}, "documentId", ${run.organizationId}, path, version, bytes, "modifiedAt", url,
               "isWanted", ${run.id}, "isWanted", access
          FROM jsonb_to_recordset(${jsonOfRows(listed)}::jsonb) AS listed (
                 "documentId" text, path text, version text, bytes bigint, "modifiedAt" timestamptz, url text,
                 "isWanted" boolean, access text[])
        ON CONFLICT (source_id, document_id) DO UPDATE
           SET path = excluded.path, version = excluded.version, bytes = excluded.bytes,
               modified_at = excluded.modified_at, url = excluded.url, is_wanted = excluded.is_wanted,
               found_in = excluded.found_in, access = excluded.access,
               reason = CASE WHEN known.fetched_version = excluded.version THEN known.reason END,
               is_due = excluded.is_wanted AND (known.fetched_version IS DISTINCT FROM excluded.version
                 OR known.path <> excluded.path
                 OR known.datasource_id IS NOT NULL AND NOT EXISTS (
                      SELECT 1 FROM datasources d WHERE d.id = known.datasource_id AND d.deleted_at IS NULL))
        RETURNING is_due AS "isDue", is_wanted AS "isWanted"`,
  );
  return {
    found: rows.filter(({ isWanted }) => isWanted).length,
    due: rows.filter(({ isDue }) => isDue).length,
  };
}

/**
 * Documents that cannot be had keep the content that they have. Where the source names readers, or has named them before,
 * nobody reads them: it does not say who may now. They are fetched again when they can be had.
 *
 * @returns their number
 */
export async function upsertUnavailable(
  manager: Executor,
  run: RunEntity,
  unavailable: readonly UnavailableDocument[],
): Promise<number> {
  if (unavailable.length === 0) return 0;
  await execute(
    manager,
    sql`INSERT INTO source_documents AS known (source_id, document_id, organization_id, path, version, found_in, reason, access)
        SELECT ${run.datasourceId}, "documentId", ${run.organizationId}, path, '', ${run.id}, reason,
               CASE WHEN "isRestricted" THEN ${NOBODY} END
          FROM jsonb_to_recordset(${jsonOfRows(unavailable)}::jsonb) AS listed (
                 "documentId" text, path text, reason text, "isRestricted" boolean)
        ON CONFLICT (source_id, document_id) DO UPDATE
           SET path = excluded.path, found_in = excluded.found_in, reason = excluded.reason, is_due = false,
               fetched_version = NULL,
               access = CASE WHEN coalesce(excluded.access, known.access) IS NOT NULL THEN ${NOBODY} END`,
  );
  const folders = unavailable.filter(({ isFolder }) => isFolder);
  await execute(
    manager,
    sql`UPDATE source_documents known SET found_in = ${run.id}, access = CASE WHEN "isRestricted" OR known.access IS NOT NULL THEN ${NOBODY} END
          FROM jsonb_to_recordset(${jsonOfRows(folders)}::jsonb) AS folder (path text, "isRestricted" boolean)
         WHERE source_id = ${run.datasourceId} AND starts_with(known.path, folder.path || '/')`,
  );
  return unavailable.length;
}

const NOBODY = sql`'{}'::text[]`;

/**
 * Another connection says nothing about documents, groups and versions of the former one: what named its readers is read by
 * nobody until it was listed and fetched again.
 */
export async function forgetReaders(manager: Executor, run: RunEntity): Promise<void> {
  await execute(
    manager,
    sql`UPDATE source_documents sd SET access = ${NOBODY}, fetched_version = NULL
         WHERE source_id = ${run.datasourceId} AND (access IS NOT NULL OR EXISTS (
           SELECT 1 FROM datasources d WHERE d.id = sd.datasource_id AND d.access IS NOT NULL))`,
  );
}

/** Documents that their source lists again answer again. */
export async function unhide(manager: Executor, where: Sql): Promise<void> {
  const rows = await queryRows<{ id: string }>(
    manager,
    sql`UPDATE datasources SET hidden_at = NULL
         WHERE deleted_at IS NULL AND hidden_at IS NOT NULL AND ${where} RETURNING id`,
  );
  if (rows.length === 0) return;
  await recordReturned(
    manager,
    rows.map(({ id }) => id),
  );
}

/** Content and type of datasources. */
export async function statesOf(
  manager: Executor,
  ids: readonly string[],
): Promise<Map<string, { sha256: string | null; mimeType: string | null }>> {
  const rows = await queryRows<{ id: string; sha256: string | null; mimeType: string | null }>(
    manager,
    sql`SELECT d.id, b.sha256, d.mime_type AS "mimeType" FROM datasources d LEFT JOIN blobs b ON b.key = d.content_key
         WHERE d.id = ANY(${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Forgets the former documents of datasources that others take over. */
export async function forgetFormer(manager: Executor, run: RunEntity, ids: readonly string[]): Promise<void> {
  await execute(
    manager,
    sql`DELETE FROM source_documents WHERE source_id = ${run.datasourceId} AND datasource_id = ANY(${ids})`,
  );
  await unhide(manager, sql`id = ANY(${ids})`);
}

export async function markFetched(
  manager: Executor,
  run: RunEntity,
  outcomes: readonly FetchOutcome[],
  moved: ReadonlyMap<Fetched, string>,
): Promise<void> {
  const rows = outcomes.map((one) => ({
    documentId: one.documentId,
    version: one.version,
    reason: one.reason,
    datasourceId: one.reason === null ? (moved.get(one) ?? one.datasourceId) : null,
  }));
  await execute(
    manager,
    sql`UPDATE source_documents sd
           SET is_due = false, reason = one.reason, fetched_version = coalesce(one.version, sd.fetched_version),
               datasource_id = coalesce(one."datasourceId", sd.datasource_id)
          FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS one (
                 "documentId" text, version text, reason text, "datasourceId" uuid)
         WHERE sd.source_id = ${run.datasourceId} AND sd.document_id = one."documentId"`,
  );
  await execute(
    manager,
    sql`UPDATE datasources d SET custom_id = sd.path FROM source_documents sd
         WHERE sd.source_id = ${run.datasourceId} AND sd.datasource_id = d.id AND d.custom_id IS DISTINCT FROM sd.path
           AND sd.document_id = ANY(${rows.map(({ documentId }) => documentId)})`,
  );
}
