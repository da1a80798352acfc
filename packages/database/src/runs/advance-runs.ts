import type { DatasourceError, Stage } from '@citewell/contracts/schemas';
import { type Executor, queryRows, sql } from '../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import { areAmong, leasedOf, SET_RELEASED } from './lease.js';
import type { RunCounts, RunEntity, Validators } from './run.entity.js';

/** What a stage passes to the next one. Absent fields keep their value. */
export interface StageResult {
  contentKey?: string;
  contentType?: string;
  contentName?: string;
  fingerprint?: string;
  counts?: RunCounts;
  characters?: number;
  validators?: Validators;
  textHash?: string;
  /** See `RunEntity.warning`. */
  warning?: DatasourceError | null;
}

/** A run whose stage is done, and the stage that it waits for. */
export interface Advance {
  readonly run: RunEntity;
  readonly stage: Stage;
  readonly result: StageResult;
}

/**
 * The runs wait for a worker of their next stage; see `RunLifecycleRepository.advance`.
 *
 * @param owner of their leases
 * @returns for each run whether it was changed; see `LeasedChanges`
 */
export async function advanceRuns(
  manager: Executor,
  owner: string,
  advances: readonly Advance[],
): Promise<boolean[]> {
  const runs = advances.map(({ run }) => run);
  const results = advances.map(({ result }) => result);
  const jsonOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);
  const released = await queryRows<Pick<RunEntity, 'id' | 'delivery'>>(
    manager,
    sql`WITH ${leasedOf(owner, runs)}, done AS (
          SELECT * FROM unnest(
            ${runs.map(({ id }) => id)}::uuid[],
            ${advances.map(({ stage }) => stage)}::text[],
            ${results.map(({ contentKey = null }) => contentKey)}::text[],
            ${results.map(({ contentType = null }) => contentType)}::text[],
            ${results.map(({ contentName = null }) => contentName)}::text[],
            ${results.map(({ fingerprint = null }) => fingerprint)}::text[],
            ${results.map(({ counts }) => jsonOf(counts))}::jsonb[],
            ${results.map(({ characters = null }) => characters)}::bigint[],
            ${results.map(({ validators }) => jsonOf(validators))}::jsonb[],
            ${results.map(({ textHash = null }) => textHash)}::text[],
            ${results.map(({ warning }) => jsonOf(warning))}::jsonb[]
          ) AS done (id, stage, content_key, content_type, content_name, fingerprint, counts, characters, validators,
                     text_hash, warning)
        ), released AS (
          UPDATE runs r SET ${SET_RELEASED}, stage = done.stage, failures = 0, crashes = 0, not_before = now(),
                 progress = NULL, error = NULL,
                 content_key = coalesce(done.content_key, r.content_key),
                 content_type = coalesce(done.content_type, r.content_type),
                 content_name = coalesce(done.content_name, r.content_name),
                 fingerprint = coalesce(done.fingerprint, r.fingerprint),
                 counts = coalesce(done.counts, r.counts), characters = coalesce(done.characters, r.characters),
                 validators = coalesce(done.validators, r.validators),
                 text_hash = coalesce(done.text_hash, r.text_hash), warning = coalesce(done.warning, r.warning)
            FROM done JOIN leased USING (id) WHERE r.id = done.id RETURNING r.id, r.delivery
        ) SELECT id, delivery, ${WAKE_DISPATCHER} FROM released`,
  );
  return areAmong(runs, released);
}
