import type { DatasourceType, Stage } from '@citewell/contracts/schemas';
import type { WrittenBlob } from '../blobs/blob.repository.js';
import { newId } from '../connection/new-id.js';
import { execute, type Executor, queryRows, sql } from '../connection/sql.js';
import { markUnsynched } from '../datasources/datasource-status.js';
import type { DatasourceEntity } from '../datasources/datasource.entity.js';
import type { PageContent, PageDocument } from './page-content.js';
import type { RunCounts, RunEntity, RunTrigger } from './run.entity.js';
import { REINDEXING, UNFINISHED } from './unfinished.js';

/** The stage of a reindex: `embedding`, unless the points have no vectors of a model that may be slow. */
export type ReindexStage = Extract<Stage, 'indexing' | 'embedding'>;

/** The stage in which a run begins that reads its datasource's source. */
export function firstStage(type: DatasourceType): Stage {
  switch (type) {
    case 'web_site':
      return 'discovering';
    case 'web_page':
      return 'fetching';
    case 'file':
    case 'text':
      return 'parsing';
  }
}

/**
 * Starts runs that read the sources of their datasources, in one statement. The caller holds the locks of the
 * datasources, which have no unfinished run.
 *
 * @param removeMissing see `RunEntity.removeMissing`
 */
export async function startRuns(
  manager: Executor,
  datasources: readonly Pick<DatasourceEntity, 'id' | 'type'>[],
  trigger: Exclude<RunTrigger, 'reindex'>,
  { removeMissing = false }: { removeMissing?: boolean } = {},
): Promise<void> {
  if (datasources.length === 0) return;
  const ids = datasources.map(({ id }) => id);
  await queryRows(
    manager,
    sql`INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, remove_missing, stage, content_key,
                          content_type, content_name)
        SELECT run_id, d.organization_id, d.id, d.group_id, ${trigger}, ${removeMissing}, started.stage, d.content_key,
               d.mime_type, d.name
          FROM unnest(
                 ${ids.map(() => newId())}::uuid[],
                 ${ids}::uuid[],
                 ${datasources.map(({ type }) => firstStage(type))}::text[]
               ) AS started (run_id, datasource_id, stage)
          JOIN datasources d ON d.id = started.datasource_id`,
  );
  if (trigger !== 'create') await markUnsynched(manager, ids);
}

/**
 * Starts runs for pages of a web site, in one statement. The pages are datasources of the site without an
 * unfinished run; the caller holds their locks and sets their status.
 *
 * @param site the run of the site, whose trigger the runs get
 */
export async function startPageRuns(
  manager: Executor,
  site: RunEntity,
  pages: readonly PageContent[],
): Promise<void> {
  if (pages.length === 0) return;
  const column = <Value>(value: (page: PageContent) => Value): Value[] => pages.map(value);
  await queryRows(
    manager,
    sql`INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, content_key, content_type,
                          validators, content_name, stage, fingerprint, text_hash, characters, counts, warning)
        SELECT page.id, d.organization_id, d.id, d.group_id, ${site.trigger}, page.content_key,
               page.content_type, page.validators, d.config->>'source_url', page.stage, page.fingerprint, page.text_hash,
               page.characters, page.counts, page.warning
          FROM unnest(
                 ${column(({ runId }) => runId)}::uuid[],
                 ${column(({ datasourceId }) => datasourceId)}::uuid[],
                 ${column(({ fetched }) => fetched.key)}::text[],
                 ${column(({ contentType }) => contentType)}::text[],
                 ${column(({ validators }) => validators && JSON.stringify(validators))}::jsonb[],
                 ${column(({ document }) => (document === null ? 'parsing' : 'indexing'))}::text[],
                 ${column(({ document }) => document?.fingerprint ?? null)}::text[],
                 ${column(({ document }) => document?.textHash ?? null)}::text[],
                 ${column(({ document }) => document?.characters ?? 0)}::bigint[],
                 ${column(({ fetched, document }) => document && JSON.stringify(countsOf(fetched, document)))}::jsonb[],
                 ${column(({ document }) => document?.warning && JSON.stringify(document.warning))}::jsonb[]
               ) AS page (id, datasource_id, content_key, content_type, validators, stage, fingerprint,
                          text_hash, characters, counts, warning)
          JOIN datasources d ON d.id = page.datasource_id`,
  );
}

/**
 * Starts runs for files of an archive, in one statement. The files have no unfinished run; the caller holds their locks
 * and sets their status.
 *
 * @param archive the run of the archive, whose trigger the runs get
 */
export async function startFileRuns(
  manager: Executor,
  archive: RunEntity,
  datasourceIds: readonly string[],
): Promise<void> {
  await queryRows(
    manager,
    sql`INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, stage, content_key, content_type,
                          content_name)
        SELECT run_id, d.organization_id, d.id, d.group_id, ${archive.trigger}, ${firstStage('file')}, d.content_key,
               d.mime_type, d.name
          FROM unnest(${datasourceIds.map(() => newId())}::uuid[], ${datasourceIds}::uuid[]) AS file (run_id, file_id)
          JOIN datasources d ON d.id = file.file_id AND d.organization_id = ${archive.organizationId}`,
  );
}

/**
 * Starts a reindex of datasources that serve, in one statement: a run that indexes the text which the serving run has
 * parsed. The caller holds their locks; those that are being reindexed are left out.
 */
export async function startReindexing(
  manager: Executor,
  datasourceIds: readonly string[],
  stage: ReindexStage,
): Promise<void> {
  if (datasourceIds.length === 0) return;
  await execute(
    manager,
    sql`INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, stage, content_key, content_type,
                          content_name, validators, fingerprint, text_hash, characters, counts, warning)
        SELECT reindex.run_id, r.organization_id, r.datasource_id, r.group_id, 'reindex', ${stage}, r.content_key,
               r.content_type, r.content_name, r.validators, r.fingerprint, r.text_hash, r.characters, r.counts,
               -- Another model may not refuse it.
               CASE WHEN r.warning->>'code' <> 'PARTLY_EMBEDDED' THEN r.warning END
          FROM unnest(${datasourceIds.map(() => newId())}::uuid[], ${datasourceIds}::uuid[])
                 AS reindex (run_id, datasource_id)
          JOIN datasources d ON d.id = reindex.datasource_id
          JOIN runs r ON r.id = d.serving_run_id
         WHERE NOT EXISTS (SELECT 1 FROM runs WHERE datasource_id = d.id AND ${REINDEXING})`,
  );
}

/**
 * Sets `removeMissing` on the unfinished run of a datasource, if it has not started. The caller holds the
 * lock of the datasource, so that no worker starts the run meanwhile.
 *
 * @returns whether there is such a run
 */
export async function removeMissingInWaitingRun(
  manager: Executor,
  organizationId: string,
  datasourceId: string,
): Promise<boolean> {
  const changed = await execute(
    manager,
    sql`UPDATE runs SET remove_missing = true
         WHERE organization_id = ${organizationId} AND datasource_id = ${datasourceId} AND started_at IS NULL
           AND ${UNFINISHED}`,
  );
  return changed > 0;
}

function countsOf({ bytes }: WrittenBlob, { characters, leftOut, title }: PageDocument): RunCounts {
  return { chunks: 0, characters, bytes, pages: 0, leftOut, ...(title ? { title } : {}) };
}
