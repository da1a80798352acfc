import type { DatasourceType } from '@citewell/contracts/schemas';
import { Any, type DataSource } from 'typeorm';
import { execute, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { NOTHING_REFERS } from '../ingestion/purging/purge.repository.js';
import { correctStatus } from '../ingestion/runs/datasource-status.js';
import { releaseStuckRuns, selectStuckRuns } from '../ingestion/runs/lease.js';
import { requestPurges } from '../ingestion/runs/out-of-service.js';
import { IS_GROUP } from '../ingestion/runs/site-and-archive-runs.js';
import { UNFINISHED, UNFINISHED_STATES } from '../ingestion/runs/transitions.js';
import { DatasourceEntity } from '../schema/content.entities.js';
import { type PurgeKind, RunEntity } from '../schema/ingestion.entities.js';
import { OrganizationEntity } from '../schema/tenancy.entities.js';

/**
 * What a run is to its datasource. `reindexed`: the next reindex copies its vectors. `purging`: nothing refers to the run,
 * and a purge is requested. `retired`: nothing refers to the run, and no purge is requested.
 */
export type RunRole = 'serves' | 'unfinished' | 'reindexed' | 'purging' | 'retired';

/** A run, for a comparison with what the stores hold of it. */
export interface RunFacts {
  runId: string;
  organizationId: string;
  datasourceId: string;
  role: RunRole;
  /** Vector space of its points; null when it has none. */
  space: string | null;
  /** Points that were counted when the run began to serve. */
  chunks: number;
}

/** A run that serves, and the blob that it was parsed from. */
export interface ServingRun extends RunFacts {
  type: DatasourceType;
  contentKey: string | null;
}

/** A row of one organization. */
export interface Owned {
  id: string;
  organizationId: string;
}

/** A datasource whose status contradicts its runs. `serves`: a run of it answers queries. */
export interface ContradictoryDatasource extends Owned {
  status: string;
  serves: boolean;
}

/** An organization whose counter of stored characters is wrong. */
export interface MiscountedOrganization extends Owned {
  counted: number;
  actual: number;
}

interface FactsRow {
  id: string;
  organization_id: string;
  datasource_id: string;
  role: RunRole;
  space: string | null;
  chunks: number;
  type: DatasourceType;
  content_key: string | null;
}

interface OwnedRow {
  id: string;
  organization_id: string;
}

/** A condition on `datasources d`: a purge that covers the datasource is requested. */
const HAS_PURGE = sql`EXISTS (SELECT 1 FROM purges p WHERE p.organization_id = d.organization_id AND (
  (p.kind IN ('runs', 'datasource') AND p.target_id = d.id)
  OR (p.kind = 'datastore' AND p.target_id = d.datastore_id)))`;

/** A condition on `datasources d`: a run that brings the datasource up to date is unfinished. */
const HAS_UNFINISHED_RUN = sql`EXISTS (SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED})`;

const SELECT_FACTS = sql`
  SELECT r.id, r.organization_id, r.datasource_id, r.space, coalesce((r.counts->>'chunks')::int, 0) AS chunks,
         d.type, r.content_key,
         CASE WHEN d.serving_run_id = r.id AND d.deleted_at IS NULL THEN 'serves'
              WHEN r.state IN ${UNFINISHED_STATES} THEN 'unfinished'
              WHEN d.reindexed_run_id = r.id AND d.deleted_at IS NULL THEN 'reindexed'
              WHEN ${HAS_PURGE} THEN 'purging'
              ELSE 'retired' END AS role
    FROM runs r JOIN datasources d ON d.id = r.datasource_id`;

/** An expression: the characters of the serving runs of the organization `o`. */
const STORED_CHARACTERS = sql`coalesce((
  SELECT sum(r.characters) FROM datasources d JOIN runs r ON r.id = d.serving_run_id
   WHERE d.organization_id = o.id AND d.deleted_at IS NULL), 0)`;

/** A condition: the row belongs to the scope; null stands for all organizations. */
function isIn(scope: TenantScope | null, organizationId: Sql): Sql {
  return scope === null ? sql`true` : sql`${organizationId} = ${scope.organizationId}`;
}

/**
 * The statements of `citewell doctor`. Without a scope they look across organizations: ids come from rows or from a
 * store, none from a client.
 */
export class DoctorRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Facts about these runs; runs without a row are absent. */
  async runs(runIds: readonly string[]): Promise<Map<string, RunFacts>> {
    const rows = await queryRows<FactsRow>(this.dataSource, sql`${SELECT_FACTS} WHERE r.id = ANY(${runIds})`);
    return new Map(rows.map((row) => [row.id, toServingRun(row)]));
  }

  /**
   * Serving runs with an id greater than `after`. Those of groups are left out: only their pages and
   * files have content.
   */
  async servingRuns(after: string | null, limit: number): Promise<ServingRun[]> {
    const rows = await queryRows<FactsRow>(
      this.dataSource,
      sql`${SELECT_FACTS}
           WHERE d.serving_run_id = r.id AND d.deleted_at IS NULL AND NOT ${IS_GROUP}
             AND ${after === null ? sql`true` : sql`r.id > ${after}`}
           ORDER BY r.id LIMIT ${limit}`,
    );
    return rows.map(toServingRun);
  }

  /** Those of the ids that are datasources, including deleted ones that are not purged yet. */
  async existingDatasources(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.dataSource
      .getRepository(DatasourceEntity)
      .find({ select: { id: true }, where: { id: Any(ids) } });
    return new Set(rows.map((row) => row.id));
  }

  /** Whether there is no organization: an empty database does not tell what a store should hold. */
  async isEmpty(): Promise<boolean> {
    return !(await this.dataSource.getRepository(OrganizationEntity).exists());
  }

  /** Keys of committed blobs whose datasource does not exist. */
  async ownerlessBlobs(): Promise<string[]> {
    const rows = await queryRows<{ key: string }>(
      this.dataSource,
      sql`SELECT b.key FROM blobs b
           WHERE b.committed AND NOT EXISTS (SELECT 1 FROM datasources d WHERE d.id = b.datasource_id)
           ORDER BY b.key`,
    );
    return rows.map((row) => row.key);
  }

  /**
   * Datasources whose status contradicts their runs: `synched` without a serving run; `running`, or
   * `unsynched` with a serving run, without an unfinished run; or a serving run that is none of theirs or did
   * not succeed. Groups are left out: their pages and files serve.
   */
  async contradictoryDatasources(scope: TenantScope | null): Promise<ContradictoryDatasource[]> {
    const rows = await queryRows<OwnedRow & { status: string; serves: boolean }>(
      this.dataSource,
      sql`SELECT d.id, d.organization_id, d.status, s.id IS NOT NULL AS serves
            FROM datasources d
            LEFT JOIN runs r ON r.id = d.serving_run_id
            LEFT JOIN runs s ON s.id = r.id AND s.datasource_id = d.id AND s.state = 'succeeded'
           WHERE d.deleted_at IS NULL AND ${isIn(scope, sql`d.organization_id`)} AND NOT ${IS_GROUP} AND (
                 (d.serving_run_id IS NOT NULL AND s.id IS NULL)
              OR (s.id IS NULL AND d.status = 'synched')
              OR ((d.status = 'running' OR (d.status = 'unsynched' AND s.id IS NOT NULL))
                  AND NOT ${HAS_UNFINISHED_RUN}))
           ORDER BY d.id`,
    );
    return rows.map((row) => ({ ...toOwned(row), status: row.status, serves: row.serves }));
  }

  /** Sets the status of a datasource that serves and has no unfinished run to `synched`. */
  async correctStatus({ id, organizationId }: Owned): Promise<void> {
    await correctStatus(this.dataSource, organizationId, id);
  }

  /**
   * Removes the reference to a serving run that did not succeed, so that the next run does not compare with
   * it.
   */
  async forgetServingRun({ id, organizationId }: Owned): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE datasources d SET serving_run_id = NULL
           WHERE d.id = ${id} AND d.organization_id = ${organizationId} AND NOT EXISTS (
             SELECT 1 FROM runs s
              WHERE s.id = d.serving_run_id AND s.datasource_id = d.id AND s.state = 'succeeded')`,
    );
  }

  /** Has the next sync of their datasources process the content again, even if its bytes and its text are the same. */
  async forgetFingerprints(runIds: readonly string[]): Promise<void> {
    await this.dataSource.manager.update(
      RunEntity,
      { id: Any(runIds) },
      { fingerprint: null, textHash: null },
    );
  }

  async miscountedOrganizations(scope: TenantScope | null): Promise<MiscountedOrganization[]> {
    const rows = await queryRows<OwnedRow & { counted: string; actual: string }>(
      this.dataSource,
      sql`SELECT o.id, o.organization_id, o.counted, o.actual FROM (
            SELECT o.id, o.id AS organization_id, o.stored_characters AS counted, ${STORED_CHARACTERS} AS actual
              FROM organizations o WHERE ${isIn(scope, sql`o.id`)}) o
           WHERE o.counted <> o.actual ORDER BY o.id`,
    );
    return rows.map((row) => ({ ...toOwned(row), counted: Number(row.counted), actual: Number(row.actual) }));
  }

  /** Corrects an organization's counter of stored characters. */
  async recountStorage(organizationId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // A transaction that changes the counter holds this lock until it commits. The sum is computed after
      // that.
      await queryRow(
        manager,
        sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`,
      );
      await execute(
        manager,
        sql`UPDATE organizations o SET stored_characters = ${STORED_CHARACTERS} WHERE o.id = ${organizationId}`,
      );
    });
  }

  /** Runs whose lease has expired, or which are queued, for longer than a living dispatcher would allow. */
  async stuckRuns(scope: TenantScope | null, timeoutSeconds: number): Promise<Owned[]> {
    const rows = await selectStuckRuns(this.dataSource, isIn(scope, sql`organization_id`), timeoutSeconds);
    return rows.map(toOwned);
  }

  /** Has stuck runs wait for a worker again. A worker that still holds one notices at its next heartbeat. */
  async releaseRuns(ids: readonly string[], timeoutSeconds: number): Promise<void> {
    await releaseStuckRuns(this.dataSource, ids, timeoutSeconds);
  }

  /** Purges that have been due for longer than the timeout. */
  async overduePurges(scope: TenantScope | null, timeoutSeconds: number): Promise<Owned[]> {
    const rows = await queryRows<OwnedRow>(
      this.dataSource,
      sql`SELECT id, organization_id FROM purges
           WHERE not_before < now() - make_interval(secs => ${timeoutSeconds})
             AND ${isIn(scope, sql`organization_id`)} ORDER BY id`,
    );
    return rows.map(toOwned);
  }

  /** Makes purges due now. */
  async makePurgesDue(ids: readonly string[]): Promise<void> {
    await execute(this.dataSource, sql`UPDATE purges SET not_before = now() WHERE id = ANY(${ids})`);
  }

  /**
   * Targets that should have a purge and have none: deleted datastores and datasources, and datasources with
   * runs that have points or blobs and that nothing refers to.
   */
  async unpurged(scope: TenantScope | null): Promise<(Owned & { kind: PurgeKind })[]> {
    const rows = await queryRows<OwnedRow & { kind: PurgeKind }>(
      this.dataSource,
      sql`SELECT d.id, d.organization_id, CASE WHEN d.deleted_at IS NULL THEN 'runs' ELSE 'datasource' END AS kind
            FROM datasources d
           WHERE ${isIn(scope, sql`d.organization_id`)} AND NOT ${HAS_PURGE} AND (d.deleted_at IS NOT NULL OR EXISTS (
             SELECT 1 FROM runs r WHERE r.datasource_id = d.id AND r.state NOT IN ${UNFINISHED_STATES}
                AND ${NOTHING_REFERS}
                AND (r.space IS NOT NULL OR EXISTS (
                  SELECT 1 FROM blobs b
                   WHERE b.organization_id = d.organization_id AND b.datasource_id = d.id AND b.run_id = r.id
                     AND b.committed AND b.key NOT IN (
                       SELECT u.content_key FROM runs u WHERE u.datasource_id = d.id AND u.content_key IS NOT NULL
                          AND (u.state IN ${UNFINISHED_STATES} OR u.id = d.serving_run_id))))))
          UNION ALL
          SELECT s.id, s.organization_id, 'datastore' FROM datastores s
           WHERE s.deleted_at IS NOT NULL AND ${isIn(scope, sql`s.organization_id`)}
             AND NOT EXISTS (SELECT 1 FROM purges p WHERE p.kind = 'datastore' AND p.target_id = s.id)
           ORDER BY 1`,
    );
    return rows.map((row) => ({ ...toOwned(row), kind: row.kind }));
  }

  async addPurges(targets: readonly (Owned & { kind: PurgeKind })[]): Promise<void> {
    for (const { id, organizationId, kind } of targets) {
      await requestPurges(this.dataSource, organizationId, kind, [id]);
    }
  }
}

function toOwned(row: OwnedRow): Owned {
  return { id: row.id, organizationId: row.organization_id };
}

function toServingRun(row: FactsRow): ServingRun {
  return {
    runId: row.id,
    organizationId: row.organization_id,
    datasourceId: row.datasource_id,
    role: row.role,
    space: row.space,
    chunks: row.chunks,
    type: row.type,
    contentKey: row.content_key,
  };
}

/**
 * Much longer than a lease or a delivery: a live worker would have continued the run or the purge by then.
 */
export const STUCK_AFTER_SECONDS = 15 * 60;

/** Rows that contradict each other, and runs and purges that are stuck. */
export interface RowProblems {
  wrongStatus: ContradictoryDatasource[];
  wrongCount: MiscountedOrganization[];
  stuckRuns: Owned[];
  overduePurges: Owned[];
  unpurged: (Owned & { kind: PurgeKind })[];
}

/** What the affected rows are, in the plural. */
export const ROW_PROBLEMS: Readonly<Record<keyof RowProblems, string>> = {
  wrongStatus: 'datasources with a wrong status',
  wrongCount: 'organizations with a wrong count of stored characters',
  stuckRuns: 'stuck runs',
  overduePurges: 'overdue purges',
  unpurged: 'datasources or datastores with data to purge, but without a purge',
};

/** @param scope null for all organizations */
export async function findRowProblems(
  doctor: DoctorRepository,
  scope: TenantScope | null,
): Promise<RowProblems> {
  return {
    wrongStatus: await doctor.contradictoryDatasources(scope),
    wrongCount: await doctor.miscountedOrganizations(scope),
    stuckRuns: await doctor.stuckRuns(scope, STUCK_AFTER_SECONDS),
    overduePurges: await doctor.overduePurges(scope, STUCK_AFTER_SECONDS),
    unpurged: await doctor.unpurged(scope),
  };
}
