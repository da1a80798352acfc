import type { DatasourceType } from '@citewell/contracts/http';
import type { DataSource } from 'typeorm';
import type { PurgeKind } from '../purging/purge.entity.js';
import { GIVEN_BACK } from '../runs/lease.js';
import { requestPurges, UNDER_WAY_STATES } from '../runs/under-way.js';

/** What a run means to its datasource. `going`: nothing refers to it any more, and a purge is on its way. */
export type RunRole = 'serves' | 'under-way' | 'going' | 'retired';

/** What the stores should hold of a run. */
export interface RunFacts {
  runId: string;
  organizationId: string;
  datasourceId: string;
  role: RunRole;
  /** Vector space of its points; null when it has none. */
  space: string | null;
  /** Points that were counted when it came to serve. */
  chunks: number;
}

/** A run that serves, and what its blobs are made from. */
export interface ServingRun extends RunFacts {
  type: DatasourceType;
  contentKey: string | null;
}

/** Something of one organization. */
export interface Owned {
  id: string;
  organizationId: string;
}

/** A datasource whose status contradicts what it has. `serves`: a run of it answers queries. */
export interface ContradictoryDatasource extends Owned {
  status: string;
  serves: boolean;
}

/** An organization whose counter of stored characters is not their sum. */
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

/** A purge that will take what belongs to the datasource `d`. */
const PURGED = `EXISTS (SELECT 1 FROM purges p WHERE p.organization_id = d.organization_id AND (
  (p.kind IN ('runs', 'datasource') AND p.target_id = d.id) OR (p.kind = 'datastore' AND p.target_id = d.datastore_id)))`;
const FACTS = `
  SELECT r.id, r.organization_id, r.datasource_id, r.space, coalesce((r.counts->>'chunks')::int, 0) AS chunks,
         d.type, r.content_key,
         CASE WHEN d.serving_run_id = r.id AND d.deleted_at IS NULL THEN 'serves'
              WHEN r.state IN ${UNDER_WAY_STATES} THEN 'under-way'
              WHEN ${PURGED} THEN 'going'
              ELSE 'retired' END AS role
    FROM runs r JOIN datasources d ON d.id = r.datasource_id`;
const STORED = `
  SELECT o.id, o.organization_id, o.counted, o.actual FROM (
    SELECT o.id, o.id AS organization_id, o.stored_characters AS counted, coalesce((
      SELECT sum(r.characters) FROM datasources d JOIN runs r ON r.id = d.serving_run_id
       WHERE d.organization_id = o.id AND d.deleted_at IS NULL), 0) AS actual
      FROM organizations o) o WHERE o.counted <> o.actual ORDER BY o.id`;

/**
 * What `citewell doctor` asks and mends. Like the dispatcher's, these queries look across organizations: every id
 * comes from a row or from a store, none from a client.
 */
export class DoctorRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** What these runs mean now; runs without a row are absent. */
  async runs(runIds: readonly string[]): Promise<Map<string, RunFacts>> {
    const rows = await this.dataSource.query<FactsRow[]>(`${FACTS} WHERE r.id = ANY($1)`, [runIds]);
    return new Map(rows.map((row) => [row.id, toServingRun(row)]));
  }

  /** Runs that serve, by id, after the one given. A web site's has nothing of its own: its pages have. */
  async servingRuns(after: string | null, limit: number): Promise<ServingRun[]> {
    const rows = await this.dataSource.query<FactsRow[]>(
      `${FACTS} WHERE d.serving_run_id = r.id AND d.deleted_at IS NULL AND d.type <> 'web_site'
          AND ($1::uuid IS NULL OR r.id > $1)
        ORDER BY r.id LIMIT $2`,
      [after, limit],
    );
    return rows.map(toServingRun);
  }

  /** Those of the ids that are datasources, deleted ones that are not purged yet included. */
  async existingDatasources(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM datasources WHERE id = ANY($1)',
      [ids],
    );
    return new Set(rows.map((row) => row.id));
  }

  /** Whether any organization is known: an empty database says nothing about what a store should hold. */
  async isEmpty(): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>('SELECT 1 FROM organizations LIMIT 1')).length === 0;
  }

  /** Keys of blobs that are committed and belong to no datasource any more. */
  async ownerlessBlobs(): Promise<string[]> {
    const rows = await this.dataSource.query<{ key: string }[]>(
      `SELECT b.key FROM blobs b WHERE b.committed AND NOT EXISTS (SELECT 1 FROM datasources d WHERE d.id = b.datasource_id)
        ORDER BY b.key`,
    );
    return rows.map((row) => row.key);
  }

  /**
   * Datasources that say they are synched and have nothing that serves, that say they are running, or waiting
   * although they serve, with no run under way, or whose serving run is not one that succeeded. Web sites serve
   * through their pages.
   */
  async contradictoryDatasources(): Promise<ContradictoryDatasource[]> {
    const rows = await this.dataSource.query<(OwnedRow & { status: string; serves: boolean })[]>(
      `SELECT d.id, d.organization_id, d.status, s.id IS NOT NULL AS serves
         FROM datasources d
         LEFT JOIN runs s ON s.id = d.serving_run_id AND s.datasource_id = d.id AND s.state = 'succeeded'
        WHERE d.deleted_at IS NULL AND d.type <> 'web_site' AND (
              (d.serving_run_id IS NOT NULL AND s.id IS NULL)
           OR (s.id IS NULL AND d.status = 'synched')
           OR ((d.status = 'running' OR (d.status = 'unsynched' AND s.id IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = d.id AND u.state IN ${UNDER_WAY_STATES})))
        ORDER BY d.id`,
    );
    return rows.map((row) => ({ ...toOwned(row), status: row.status, serves: row.serves }));
  }

  /** Says of a datasource that serves and has no run under way that it is synched, as it is. */
  async settleStatus({ id, organizationId }: Owned): Promise<void> {
    await this.dataSource.query(
      `UPDATE datasources d SET status = 'synched', error = NULL, updated_at = now()
        WHERE d.id = $1 AND d.organization_id = $2 AND d.serving_run_id IS NOT NULL AND d.status IN ('unsynched', 'running')
          AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = d.id AND u.state IN ${UNDER_WAY_STATES})`,
      [id, organizationId],
    );
  }

  /** Takes back a serving run that is none, so that the next run is not taken for a repetition of it. */
  async forgetServingRun({ id, organizationId }: Owned): Promise<void> {
    await this.dataSource.query(
      `UPDATE datasources d SET serving_run_id = NULL WHERE d.id = $1 AND d.organization_id = $2 AND NOT EXISTS (
         SELECT 1 FROM runs s WHERE s.id = d.serving_run_id AND s.datasource_id = d.id AND s.state = 'succeeded')`,
      [id, organizationId],
    );
  }

  /** The next sync of their datasources reads the content anew, even if its bytes are the same. */
  async forgetFingerprints(runIds: readonly string[]): Promise<void> {
    await this.dataSource.query('UPDATE runs SET fingerprint = NULL WHERE id = ANY($1)', [runIds]);
  }

  async miscountedOrganizations(): Promise<MiscountedOrganization[]> {
    const rows = await this.dataSource.query<(OwnedRow & { counted: string; actual: string })[]>(STORED);
    return rows.map((row) => ({ ...toOwned(row), counted: Number(row.counted), actual: Number(row.actual) }));
  }

  /** Counts the stored characters of an organization anew. */
  async recountStorage(organizationId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Whoever changes the counter holds this row until the change behind it is committed; the sum is taken after.
      await manager.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      await manager.query(
        `UPDATE organizations o SET stored_characters = coalesce((
           SELECT sum(r.characters) FROM datasources d JOIN runs r ON r.id = d.serving_run_id
            WHERE d.organization_id = o.id AND d.deleted_at IS NULL), 0) WHERE o.id = $1`,
        [organizationId],
      );
    });
  }

  /** Runs that a living dispatcher would have taken up long ago: beyond their lease, or queued and not taken. */
  async stuckRuns(patienceSeconds: number): Promise<Owned[]> {
    const rows = await this.dataSource.query<OwnedRow[]>(
      `SELECT id, organization_id FROM runs
        WHERE (state = 'active' AND coalesce(lease_until, '-infinity') < now() - make_interval(secs => $1))
           OR (state = 'queued' AND coalesce(queued_at, '-infinity') < now() - make_interval(secs => $1)) ORDER BY id`,
      [patienceSeconds],
    );
    return rows.map(toOwned);
  }

  /** Lets stuck runs wait for a worker again. What still holds one finds out at its next heartbeat. */
  async releaseRuns(ids: readonly string[], patienceSeconds: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE runs SET ${GIVEN_BACK}, not_before = now() WHERE id = ANY($1)
          AND ((state = 'active' AND coalesce(lease_until, '-infinity') < now() - make_interval(secs => $2))
            OR (state = 'queued' AND coalesce(queued_at, '-infinity') < now() - make_interval(secs => $2)))`,
      [ids, patienceSeconds],
    );
  }

  /** Purges that have been due for long. */
  async overduePurges(patienceSeconds: number): Promise<Owned[]> {
    const rows = await this.dataSource.query<OwnedRow[]>(
      `SELECT id, organization_id FROM purges WHERE not_before < now() - make_interval(secs => $1) ORDER BY id`,
      [patienceSeconds],
    );
    return rows.map(toOwned);
  }

  /** Makes purges due now. */
  async hurryPurges(ids: readonly string[]): Promise<void> {
    await this.dataSource.query('UPDATE purges SET not_before = now() WHERE id = ANY($1)', [ids]);
  }

  /** What has to go and has no purge: deleted datasources, and runs with points or blobs that nothing refers to. */
  async unpurged(): Promise<(Owned & { kind: PurgeKind })[]> {
    const rows = await this.dataSource.query<(OwnedRow & { kind: PurgeKind })[]>(
      `SELECT d.id, d.organization_id, CASE WHEN d.deleted_at IS NULL THEN 'runs' ELSE 'datasource' END AS kind
         FROM datasources d
        WHERE NOT ${PURGED} AND (d.deleted_at IS NOT NULL OR EXISTS (
          SELECT 1 FROM runs r WHERE r.datasource_id = d.id AND r.state NOT IN ${UNDER_WAY_STATES}
             AND d.serving_run_id IS DISTINCT FROM r.id
             AND (r.space IS NOT NULL OR EXISTS (SELECT 1 FROM blobs b WHERE b.organization_id = d.organization_id
                    AND b.datasource_id = d.id AND b.run_id = r.id AND b.committed
                    AND b.key NOT IN (SELECT u.content_key FROM runs u WHERE u.datasource_id = d.id AND u.content_key IS NOT NULL
                                         AND (u.state IN ${UNDER_WAY_STATES} OR u.id = d.serving_run_id))))))
       UNION ALL
       SELECT s.id, s.organization_id, 'datastore' FROM datastores s
        WHERE s.deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM purges p WHERE p.kind = 'datastore' AND p.target_id = s.id)
        ORDER BY 1`,
    );
    return rows.map((row) => ({ ...toOwned(row), kind: row.kind }));
  }

  async addPurges(targets: readonly (Owned & { kind: PurgeKind })[]): Promise<void> {
    for (const { id, organizationId, kind } of targets) {
      await requestPurges(this.dataSource.manager, organizationId, kind, [id]);
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
