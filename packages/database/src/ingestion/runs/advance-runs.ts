import type { DatasourceError, Stage } from '@citewell/contracts/schemas';
import { type Executor, jsonOfRows, queryRows, sql } from '../../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import { areAmong, leasedOf, SET_RELEASED } from './lease.js';
import type { RunCounts, RunEntity, Validators } from '../../schema/ingestion.entities.js';

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
  const rows = advances.map(({ run: { id }, stage, result }) => ({ ...result, id, stage }));
  const released = await queryRows<Pick<RunEntity, 'id' | 'delivery'>>(
    manager,
    sql`WITH ${leasedOf(owner, runs)}, done AS (
          SELECT * FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS done (
            id uuid, stage text, "contentKey" text, "contentType" text, "contentName" text, fingerprint text, counts jsonb,
            characters bigint, validators jsonb, "textHash" text, warning jsonb)
        ), released AS (
          UPDATE runs r SET ${SET_RELEASED}, stage = done.stage, failures = 0, crashes = 0, not_before = now(),
                 progress = NULL, error = NULL,
                 content_key = coalesce(done."contentKey", r.content_key),
                 content_type = coalesce(done."contentType", r.content_type),
                 content_name = coalesce(done."contentName", r.content_name),
                 fingerprint = coalesce(done.fingerprint, r.fingerprint),
                 counts = coalesce(done.counts, r.counts), characters = coalesce(done.characters, r.characters),
                 validators = coalesce(done.validators, r.validators),
                 text_hash = coalesce(done."textHash", r.text_hash), warning = coalesce(done.warning, r.warning)
            FROM done JOIN leased USING (id) WHERE r.id = done.id RETURNING r.id, r.delivery
        ) SELECT id, delivery, ${WAKE_DISPATCHER} FROM released`,
  );
  return areAmong(runs, released);
}
