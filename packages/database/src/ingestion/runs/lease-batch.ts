import type { BatchPayload } from '@citewell/contracts/jobs';
import type { DataSource } from 'typeorm';
import { hydrateOne } from '../../connection/hydrate.js';
import { queryRows, type Sql, sql } from '../../connection/sql.js';
import { SET_RUNNING } from './datasource-status.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { RunEntity } from '../../schema/ingestion.entities.js';

/** A run, its datasource, and the proof that this worker may change them. */
export interface LeasedRun {
  run: RunEntity;
  datasource: DatasourceEntity;
  /** The run that answers queries. No other replaces it while this one is unfinished. */
  serving: RunEntity | null;
  /** The run of the last reindex; see `DatasourceEntity.reindexedRunId`. */
  reindexed: RunEntity | null;
  /** An earlier attempt may have written points: it recorded the space. */
  wasWriting: boolean;
}

/** The process that takes a lease, and how long the lease holds without a heartbeat. */
export interface LeaseHolder {
  readonly owner: string;
  readonly leaseSeconds: number;
}

/** Rows as JSON: columns of the tables, instants in ISO 8601. */
type LeasedRow = Record<'run' | 'datasource' | 'serving' | 'reindexed', Record<string, unknown> | null> & {
  was_writing: boolean;
};

/** A SET list on `runs`: a worker takes the lease. @param space that the stage will write to */
function setActive({ owner, leaseSeconds }: LeaseHolder, space: string | null): Sql {
  return sql`state = 'active',
    lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
    started_at = coalesce(started_at, now()), progress = CASE WHEN stage = 'discovering' THEN progress END,
    space = coalesce(space, ${space})`;
}

/** The end of a statement whose query `leased` has claimed runs. */
const SELECT_LEASED = sql`shown AS (
    UPDATE datasources SET ${SET_RUNNING} FROM leased
     WHERE datasources.id = leased.datasource_id RETURNING datasources.*
  )
  SELECT leased.was_writing, to_jsonb(leased) AS run, to_jsonb(shown) AS datasource,
         to_jsonb(serving) AS serving, to_jsonb(reindexed) AS reindexed
    FROM leased JOIN shown ON shown.id = leased.datasource_id
    LEFT JOIN runs serving ON serving.id = shown.serving_run_id
    LEFT JOIN runs reindexed ON reindexed.id = shown.reindexed_run_id`;

/** See `RunLifecycleRepository.leaseBatch`. */
export async function leaseBatch(
  dataSource: DataSource,
  holder: LeaseHolder,
  { organizationId, stage, deliveries }: BatchPayload,
  space: string | null,
): Promise<LeasedRun[]> {
  const rows = await queryRows<LeasedRow>(
    dataSource,
    sql`WITH held AS (
          SELECT d.id, r.id AS run_id, delivered.delivery, r.space IS NOT NULL AS was_writing
            FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
                   AS delivered ("runId" uuid, "datasourceId" uuid, delivery int)
            JOIN runs r ON r.id = delivered."runId"
            JOIN datasources d ON d.id = delivered."datasourceId"
           WHERE d.organization_id = ${organizationId} AND d.deleted_at IS NULL
           ORDER BY d.id FOR UPDATE OF d
        ), leased AS (
          UPDATE runs SET ${setActive(holder, space)} FROM held
           WHERE runs.id = held.run_id AND runs.delivery = held.delivery AND state = 'queued' AND stage = ${stage}
             AND organization_id = ${organizationId} AND datasource_id = held.id
          RETURNING runs.*, held.was_writing
        ), ${SELECT_LEASED}`,
  );
  return rows.map((row) => leasedRun(dataSource, row)).filter((leased) => leased !== null);
}

function leasedRun(dataSource: DataSource, row: LeasedRow): LeasedRun | null {
  const run = hydrateOne(dataSource, RunEntity, row.run);
  const datasource = hydrateOne(dataSource, DatasourceEntity, row.datasource);
  const serving = hydrateOne(dataSource, RunEntity, row.serving);
  const reindexed = hydrateOne(dataSource, RunEntity, row.reindexed);
  return run && datasource ? { run, datasource, serving, reindexed, wasWriting: row.was_writing } : null;
}
