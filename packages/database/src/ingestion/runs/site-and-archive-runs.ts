import { datasourceErrorOf, type IngestionErrorCode } from '@citewell/contracts/errors';
import { ARCHIVE_TYPE, type DatasourceError } from '@citewell/contracts/schemas';
import { type Executor, sql } from '../../connection/sql.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { updateDatasources } from './datasource-rows.js';
import { deleteDatasources, endRuns, requestPurges } from './out-of-service.js';

// While a file replaces an archive, or the reverse, the type of the datasource is already the new one. The type of what
// serves is that of the serving run.

/** Whether a datasource serves as a group: it has no text of its own, its pages or files have. */
export function isGroup({
  datasource,
  serving,
}: {
  datasource: Pick<DatasourceEntity, 'type'>;
  serving: Pick<RunEntity, 'contentType'> | null;
}): boolean {
  return (
    datasource.type === 'web_site' || datasource.type === 'source' || serving?.contentType === ARCHIVE_TYPE
  );
}

/** As {@link isGroup}, a condition on `datasources d` and their serving runs `r`. */
export const IS_GROUP = sql`(d.type IN ('web_site', 'source') OR r.content_type IS NOT DISTINCT FROM ${ARCHIVE_TYPE})`;

/**
 * Deletes the files of archives that other files replace. The caller holds the locks of the datasources.
 *
 * @param runs that succeed, and are not those of groups
 */
export async function deleteReplacedFiles(
  manager: Executor,
  organizationId: string,
  runs: readonly RunEntity[],
): Promise<void> {
  const ids = runs.filter(({ groupId }) => groupId === null).map(({ datasourceId }) => datasourceId);
  if (ids.length > 0) await deleteDatasources(manager, organizationId, sql`group_id = ANY(${ids})`);
}

/** The new content of a file of an archive or source. */
interface NewFileContent {
  readonly datasourceId: string;
  readonly content: { readonly key: string };
  readonly mimeType: string;
}

/** Gives files of a group their new content. Unfinished runs end, as they read the old one. The caller holds the locks. */
export async function replaceContents(
  manager: Executor,
  organizationId: string,
  files: readonly NewFileContent[],
): Promise<void> {
  const ids = files.map(({ datasourceId }) => datasourceId);
  await endRuns(manager, organizationId, ids);
  await updateDatasources(
    manager,
    files.map(({ datasourceId: id, content, mimeType }) => ({ id, contentKey: content.key, mimeType })),
  );
  // Removes what the ended runs have written, and the old content.
  await requestPurges(manager, organizationId, 'runs', ids);
}

/** A condition on `datasources d` with content: the text that serves is that of the content, and not of an earlier one. */
export const SERVES_CONTENT = sql`EXISTS (
  SELECT 1 FROM runs serving WHERE serving.id = d.serving_run_id AND serving.content_key = d.content_key)`;

/** How many pages of a site, or files of an archive or source, have which status. */
export interface GroupParts {
  readonly synched: number;
  readonly failed: number;
  /** Failed pages that still answer with their last content. */
  readonly stale: number;
  /** Failed pages that exceeded the organization's storage limit. */
  readonly overLimit: number;
}

/** Status and error of a group whose pages or files have no unfinished runs. */
export type GroupOutcome =
  | { status: 'synched'; error: DatasourceError | null }
  | { status: 'error' | 'usage_limit_reached'; error: DatasourceError };

/** What a group consists of: a web site, an archive, a source. */
export type Part = 'page' | 'file' | 'document';

const ERRORS = {
  page: { failed: 'SITE_FAILED', empty: 'SITE_EMPTY' },
  file: { failed: 'ARCHIVE_FAILED', empty: 'ARCHIVE_EMPTY' },
  document: { failed: 'SOURCE_FAILED', empty: null },
} as const satisfies Record<Part, Record<string, IngestionErrorCode | null>>;

/**
 * The outcome of a group's run: `synched`, with the error `PARTIAL` when pages failed or there is a
 * warning; `error` or `usage_limit_reached` when no page is `synched`, even if failed pages answer with their last
 * content. A source without documents is `synched`: a folder may be empty.
 *
 * @param warning why the content is not complete
 */
export function groupOutcome(
  { synched, failed, stale, overLimit }: GroupParts,
  warning: string | null,
  part: Part = 'page',
): GroupOutcome {
  if (synched === 0) {
    if (overLimit > 0) return { status: 'usage_limit_reached', error: datasourceErrorOf('USAGE_LIMIT') };
    if (failed > 0)
      return {
        status: 'error',
        error: datasourceErrorOf(
          ERRORS[part].failed,
          `${failureOfAll(failed, stale, part)} See the errors of the ${part}s.`,
        ),
      };
    const { empty } = ERRORS[part];
    if (empty !== null) return { status: 'error', error: datasourceErrorOf(empty, warning ?? undefined) };
  }
  if (failed === 0 && warning === null) return { status: 'synched', error: null };
  const parts = [failed === 0 ? null : failureOfSome(synched, failed, stale, part), warning];
  return {
    status: 'synched',
    error: datasourceErrorOf('PARTIAL', parts.filter((part) => part !== null).join(' ')),
  };
}

function failureOfAll(failed: number, stale: number, part: Part): string {
  if (stale === 0) return `None of its ${part}s could be ingested (${failed}).`;
  return `None of its ${part}s could be updated (${failed}); ${answering(stale, part)} with their last content.`;
}

function failureOfSome(synched: number, failed: number, stale: number, part: Part): string {
  const added = failed > stale ? [`${count(failed - stale, part)} could not be ingested`] : [];
  const updated = stale > 0 ? [`${count(stale, part)} could not be updated`] : [];
  return `${[...added, ...updated].join(', ')}; ${answering(synched + stale, part)}.`;
}

function answering(number: number, part: Part): string {
  return `${count(number, part)} ${number === 1 ? 'answers' : 'answer'}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
