import { MAX_NAME_LENGTH } from '@citewell/contracts/schemas';
import { execute, type Executor, jsonOfRows, queryRows, sql } from '../../connection/sql.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';

/** What can be written of a datasource besides its status and its runs. */
type Written = Pick<
  DatasourceEntity,
  'name' | 'config' | 'metadata' | 'mimeType' | 'contentKey' | 'nextSyncAt' | 'sealedSecrets'
>;

type Optional<Columns> = { readonly [Name in keyof Columns]?: Columns[Name] | undefined };

/** Columns that are absent are null, and `config` is empty. */
export type InsertedDatasource = Pick<
  DatasourceEntity,
  'id' | 'organizationId' | 'datastoreId' | 'type' | 'name'
> &
  Optional<Written & Pick<DatasourceEntity, 'groupId' | 'customId'>>;

/** Inserts datasources without a run. */
export async function insertDatasources(
  manager: Executor,
  datasources: readonly InsertedDatasource[],
): Promise<void> {
  if (datasources.length === 0) return;
  await queryRows(
    manager,
    sql`INSERT INTO datasources (id, organization_id, datastore_id, type, name, group_id, custom_id, config, metadata,
                                 mime_type, content_key, next_sync_at, sealed_secrets)
        SELECT id, "organizationId", "datastoreId", type, name, "groupId", "customId", coalesce(config, '{}'), metadata,
               "mimeType", "contentKey", "nextSyncAt", "sealedSecrets"
          FROM jsonb_to_recordset(${jsonOfRows(datasources)}::jsonb) AS new (
                 id uuid, "organizationId" uuid, "datastoreId" uuid, type text, name text, "groupId" uuid,
                 "customId" text, config jsonb, metadata jsonb, "mimeType" text, "contentKey" text,
                 "nextSyncAt" timestamptz, "sealedSecrets" jsonb)`,
  );
}

/** Changes datasources. Columns that are absent stay as they are. The caller holds the locks. */
export async function updateDatasources(
  manager: Executor,
  changes: readonly (Pick<DatasourceEntity, 'id'> & Optional<Written>)[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ mimeType, contentKey, nextSyncAt, sealedSecrets, ...row }) => ({
    ...row,
    mime_type: mimeType,
    content_key: contentKey,
    next_sync_at: nextSyncAt,
    sealed_secrets: sealedSecrets,
  }));
  // ANY makes Postgres look the rows up in the index, whatever its statistics are.
  await execute(
    manager,
    sql`UPDATE datasources d
           SET (name, config, metadata, mime_type, content_key, next_sync_at, sealed_secrets, updated_at) = (
                 SELECT name, config, metadata, mime_type, content_key, next_sync_at, sealed_secrets, now()
                   FROM jsonb_populate_record(d, change))
          FROM jsonb_array_elements(${jsonOfRows(rows)}::jsonb) AS change
         WHERE d.id = (change->>'id')::uuid AND d.id = ANY(${changes.map(({ id }) => id)}::uuid[])`,
  );
}

/** Inserts pages of a web site as datasources without a run. */
export async function insertPages(
  manager: Executor,
  { id: groupId, organizationId, datastoreId }: DatasourceEntity,
  pages: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  await insertDatasources(
    manager,
    pages.map(({ id, url }) => {
      const page = {
        type: 'web_page',
        name: url.slice(0, MAX_NAME_LENGTH),
        config: { source_url: url },
      } as const;
      return { ...page, id, organizationId, datastoreId, groupId };
    }),
  );
}
