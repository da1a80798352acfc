import type { DatasourceError, DatasourceType, Stage } from '@citewell/contracts/schemas';
import { linkRuns } from '@citewell/observability/spans';
import { newId } from '../../connection/new-id.js';
import { execute, type Executor, jsonOfRows, queryRows, sql } from '../../connection/sql.js';
import type { WrittenBlob } from '../../content/blobs/blob.repository.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';
import type {
  LeftOut,
  RunCounts,
  RunEntity,
  RunTrigger,
  Validators,
} from '../../schema/ingestion.entities.js';
import { markUnsynched } from './datasource-status.js';
import { REINDEXING, UNFINISHED } from './transitions.js';

/** The stage of a reindex: `embedding`, unless the points have no vectors of a model that may be slow. */
export type ReindexStage = Extract<Stage, 'indexing' | 'embedding'>;

/** The stage in which a run begins that reads its datasource's source. */
export function firstStage(type: DatasourceType): Stage {
  switch (type) {
    case 'source':
      return 'listing';
    case 'web_site':
      return 'discovering';
    case 'web_page':
      return 'fetching';
    case 'file':
    case 'text':
      return 'parsing';
  }
}

/** A run to insert. What is absent is that of its datasource. */
interface NewRun {
  readonly datasourceId: string;
  readonly stage: Stage;
  readonly id?: string;
  /** What a crawl has fetched, and parsed where it is HTML. */
  readonly page?: PageContent;
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
  const runs = datasources.map(({ id, type }) => ({
    id: newId(),
    datasourceId: id,
    stage: firstStage(type),
  }));
  linkRuns(runs.map(({ id }) => id));
  await insertRuns(manager, trigger, runs, removeMissing);
  if (trigger !== 'create')
    await markUnsynched(
      manager,
      datasources.map(({ id }) => id),
    );
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
  const runs = pages.map((page): NewRun => {
    const { runId: id, datasourceId, document } = page;
    return { id, datasourceId, stage: document === null ? 'parsing' : 'indexing', page };
  });
  await insertRuns(manager, site.trigger, runs);
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
  const stage = firstStage('file');
  await insertRuns(
    manager,
    archive.trigger,
    datasourceIds.map((datasourceId) => ({ datasourceId, stage })),
  );
}

async function insertRuns(
  manager: Executor,
  trigger: RunTrigger,
  runs: readonly NewRun[],
  removeMissing = false,
): Promise<void> {
  if (runs.length === 0) return;
  const rows = runs.map(({ id = newId(), datasourceId, stage, page }) => ({
    id,
    datasource_id: datasourceId,
    stage,
    content_key: page?.fetched.key,
    content_type: page?.contentType,
    validators: page?.validators,
    fingerprint: page?.document?.fingerprint,
    text_hash: page?.document?.textHash,
    characters: page?.document?.characters ?? 0,
    counts: page?.document ? countsOf(page.fetched, page.document) : undefined,
    warning: page?.document?.warning,
  }));
  await queryRows(
    manager,
    sql`INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, remove_missing, stage, content_key,
                          content_type, content_name, validators, fingerprint, text_hash, characters, counts, warning)
        SELECT run.id, d.organization_id, d.id, d.group_id, ${trigger}, ${removeMissing}, run.stage,
               coalesce(run.content_key, d.content_key), coalesce(run.content_type, d.mime_type),
               CASE WHEN run.content_key IS NULL THEN d.name ELSE d.config->>'source_url' END,
               run.validators, run.fingerprint, run.text_hash, run.characters, run.counts, run.warning
          FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS run (
                 id uuid, datasource_id uuid, stage text, content_key text, content_type text, validators jsonb,
                 fingerprint text, text_hash text, characters bigint, counts jsonb, warning jsonb)
          JOIN datasources d ON d.id = run.datasource_id`,
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
export async function removeMissingInUnstartedRun(
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

/**
 * A fetched page of a web site. Its blobs are in the blob store, under the ids that its datasource and run
 * will have.
 */
export interface PageContent {
  readonly datasourceId: string;
  readonly runId: string;
  /** The bytes as they were fetched. */
  readonly fetched: WrittenBlob;
  readonly contentType: string;
  readonly validators: Validators | null;
  /** What was parsed from the bytes; null where a parser has yet to do so. */
  readonly document: PageDocument | null;
}

/** The document of a page that its crawler has parsed. */
export interface PageDocument {
  readonly blobs: readonly WrittenBlob[];
  /** UTF-16 units of text. */
  readonly characters: number;
  readonly textHash: string;
  readonly fingerprint: string;
  readonly leftOut: LeftOut;
  readonly title?: string | null;
  readonly warning: DatasourceError | null;
}
