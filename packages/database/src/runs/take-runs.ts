import type { RunPayload } from '@citewell/contracts/jobs';
import type { DataSource } from 'typeorm';
import { DatasourceEntity } from '../datasources/datasource.entity.js';
import { RunEntity } from './run.entity.js';
import { hydrateOne } from '../connection/hydrate.js';

/** A run, its datasource, and the proof that this worker may change them. */
export interface LeasedRun {
  run: RunEntity;
  datasource: DatasourceEntity;
  /** The run that answers queries; while this one is under way, no other takes its place. */
  serving: RunEntity | null;
  /** An earlier attempt may have written points: it had noted the space. */
  wasWriting: boolean;
}

/** Who takes leases, and how long one holds without a heartbeat. */
export interface LeaseHolder {
  readonly owner: string;
  readonly leaseSeconds: number;
}

/** How much may be taken along with a run: runs, and the characters of all of them together. */
export interface AlongLimits {
  readonly runs: number;
  readonly characters: number;
}

/** Rows as JSON: their columns are those of the tables, their instants ISO 8601. */
type LeasedRow = Record<'run' | 'datasource' | 'serving', Record<string, unknown> | null> & {
  was_writing: boolean;
};

/** Runs that are looked through for pages to take along. */
const LOOK_ALONG = 100;

/** What taking a run sets: `$1` is the process, `$2` how long its lease is, `$4` the space that is written to. */
const TAKEN = `state = 'active', lease_owner = $1, lease_until = now() + make_interval(secs => $2),
  started_at = coalesce(started_at, now()), progress = CASE WHEN stage = 'discovering' THEN progress END,
  space = coalesce(space, $4)`;

/** The rest of a statement that takes runs, which are in `leased`. */
const SHOWN_AS_RUNNING = `shown AS (
    UPDATE datasources SET status = 'running', updated_at = now() FROM leased
     WHERE datasources.id = leased.datasource_id RETURNING datasources.*
  )
  SELECT leased.was_writing, to_jsonb(leased) AS run, to_jsonb(shown) AS datasource, to_jsonb(serving) AS serving
    FROM leased JOIN shown ON shown.id = leased.datasource_id
    LEFT JOIN runs serving ON serving.id = shown.serving_run_id`;

/** Whether organizations before (`<`) or after (`>`) `$3` wait for a worker of the stage `$5`: short looks at indexes. */
const waitsFor = (side: '<' | '>'): string => {
  const theirs = `o.stage = $5 AND o.organization_id ${side} $3`;
  return `(EXISTS (SELECT 1 FROM runs o WHERE ${theirs} AND o.state = 'queued')
    OR EXISTS (SELECT 1 FROM runs o
                WHERE ${theirs} AND o.state = 'pending' AND o.not_before <= now() AND o.discovered_at IS NULL))`;
};

/** See `RunLifecycleRepository.take`. */
export async function takeRun(
  dataSource: DataSource,
  { owner, leaseSeconds }: LeaseHolder,
  { organizationId, datasourceId, runId, delivery }: RunPayload,
  space: string | null,
): Promise<LeasedRun | null> {
  const [row] = await dataSource.query<LeasedRow[]>(
    `WITH held AS (
       SELECT d.id, r.space IS NOT NULL AS was_writing FROM datasources d JOIN runs r ON r.id = $5
        WHERE d.id = $7 AND d.organization_id = $3 AND d.deleted_at IS NULL FOR UPDATE OF d
     ), leased AS (
       UPDATE runs SET ${TAKEN} FROM held
        WHERE runs.id = $5 AND delivery = $6 AND state = 'queued' AND organization_id = $3 AND datasource_id = held.id
       RETURNING runs.*, held.was_writing
     ), ${SHOWN_AS_RUNNING}`,
    [owner, leaseSeconds, organizationId, space, runId, delivery, datasourceId],
  );
  return row === undefined ? null : leasedRun(dataSource, row);
}

/** See `RunLifecycleRepository.takeAlong`. Of what was deleted no run is pending, so nothing else tells it. */
export async function takeAlong(
  dataSource: DataSource,
  { owner, leaseSeconds }: LeaseHolder,
  run: RunEntity,
  most: AlongLimits,
  space: string | null,
): Promise<LeasedRun[]> {
  if (run.groupId === null || run.failures + run.crashes > 0) return [];
  const rows = await dataSource.query<LeasedRow[]>(
    `WITH waiting AS (
       SELECT id, datasource_id, group_id, created_at, characters, space, failures + crashes AS troubles FROM runs
        WHERE stage = $5 AND organization_id = $3 AND state = 'pending' AND not_before <= now()
          AND NOT ${waitsFor('<')} AND NOT ${waitsFor('>')}
        ORDER BY created_at LIMIT ${LOOK_ALONG}
     ), next AS (
       SELECT id, datasource_id, space, sum(characters) OVER (ORDER BY created_at, id) AS characters
         FROM waiting WHERE group_id = $6 AND troubles = 0 ORDER BY created_at, id LIMIT $7
     ), held AS (
       SELECT d.id, next.id AS run_id, next.space IS NOT NULL AS was_writing FROM datasources d JOIN next ON next.datasource_id = d.id
        WHERE next.characters <= $8 FOR UPDATE OF d SKIP LOCKED
     ), leased AS (
       UPDATE runs SET ${TAKEN}, delivery = delivery + 1, queued_at = NULL FROM held
        WHERE runs.id = held.run_id AND state = 'pending' RETURNING runs.*, held.was_writing
     ), ${SHOWN_AS_RUNNING}`,
    [owner, leaseSeconds, run.organizationId, space, run.stage, run.groupId, most.runs, most.characters],
  );
  return rows.map((row) => leasedRun(dataSource, row)).filter((leased) => leased !== null);
}

function leasedRun(dataSource: DataSource, row: LeasedRow): LeasedRun | null {
  const run = hydrateOne(dataSource, RunEntity, row.run);
  const datasource = hydrateOne(dataSource, DatasourceEntity, row.datasource);
  const serving = hydrateOne(dataSource, RunEntity, row.serving);
  return run && datasource ? { run, datasource, serving, wasWriting: row.was_writing } : null;
}
