import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DatasourceScope, DatastoreScope, PointPayload, RunScope, Space } from '../vector-store.port.js';
import { numberIn } from './sql-row.js';
import { uuidToBytes } from './uuid.codec.js';

/** Pages given back at a time: half a megabyte, some milliseconds. */
const RELEASED_PAGES = 64;
/** Free pages are kept up to this share of the file: what is written next takes them, and the file need not grow again. */
const KEPT_SHARE = 0.2;

/** A run's row with the datastore it belongs to. */
export interface StoredRun {
  readonly runRef: number;
  readonly datastoreRef: number;
}

/** Writes on a connection of their own; the caller opens and ends the transactions. */
export class PointWriter {
  private readonly insertPoint: StatementSync;
  private readonly insertVectors: StatementSync;
  private readonly deletePoint: StatementSync;
  private readonly pointById: StatementSync;
  private readonly pointsOfRun: StatementSync;
  private readonly dataVersion: StatementSync;
  private readonly pages: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.insertPoint = database.prepare(`
      INSERT INTO points (space_ref, datastore_ref, run_ref, id, ordinal, page, start_offset, end_offset, content_hash,
        anchor, heading_path, header, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.insertVectors = database.prepare('INSERT INTO vectors (point_no, dense, lexical) VALUES (?, ?, ?)');
    this.deletePoint = database.prepare('DELETE FROM points WHERE point_no = ?');
    this.pointById = database.prepare(
      'SELECT point_no, datastore_ref FROM points WHERE space_ref = ? AND id = ?',
    );
    this.pointsOfRun = database.prepare('SELECT point_no FROM points WHERE run_ref = ? LIMIT ?');
    this.dataVersion = database.prepare('PRAGMA data_version');
    this.pages = database.prepare(
      'SELECT freelist_count AS free, page_count AS total FROM pragma_freelist_count, pragma_page_count',
    );
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.database.exec('COMMIT');
  }

  /** Ends the transaction without a trace; harmless when SQLite has ended it already, as it does on a full disk. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** Changes when another process has written, and only then: this is the only connection here that writes. */
  foreignVersion(): number {
    const row = this.dataVersion.get();
    return row === undefined ? 0 : numberIn(row, 'data_version');
  }

  addSpace(space: Space): void {
    this.database
      .prepare('INSERT INTO spaces (name, dimensions) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
      .run(space.name, space.dense?.dimensions ?? null);
  }

  /** Removes a space whose runs are gone. */
  removeSpace(spaceRef: number): void {
    this.database.prepare('DELETE FROM datastores WHERE space_ref = ?').run(spaceRef);
    this.database.prepare('DELETE FROM spaces WHERE space_ref = ?').run(spaceRef);
  }

  /** The run of a point, added where it is new, and its datastore likewise. */
  runOf(spaceRef: number, point: PointPayload): StoredRun {
    const { organizationId, datastoreId, datasourceId, runId } = point;
    const datastoreRef = this.refOf(
      `INSERT INTO datastores (space_ref, organization_id, datastore_id) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET datastore_id = excluded.datastore_id RETURNING datastore_ref AS ref`,
      [spaceRef, organizationId, datastoreId],
    );
    const runRef = this.refOf(
      `INSERT INTO runs (datastore_ref, organization_id, datasource_id, group_id, run_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET run_id = excluded.run_id RETURNING run_ref AS ref`,
      [datastoreRef, organizationId, datasourceId, point.groupId ?? '', runId],
    );
    return { runRef, datastoreRef };
  }

  findPoint(spaceRef: number, id: string): { pointNo: number; datastoreRef: number } | undefined {
    const row = this.pointById.get(spaceRef, uuidToBytes(id));
    if (row === undefined) return undefined;
    return { pointNo: numberIn(row, 'point_no'), datastoreRef: numberIn(row, 'datastore_ref') };
  }

  /** @returns the new row's number */
  add(
    spaceRef: number,
    run: StoredRun,
    point: PointPayload,
    dense: Uint8Array | null,
    lexical: Uint8Array,
  ): number {
    const { lastInsertRowid } = this.insertPoint.run(
      spaceRef,
      run.datastoreRef,
      run.runRef,
      uuidToBytes(point.id),
      point.ordinal,
      point.page,
      point.start,
      point.end,
      point.contentHash,
      point.anchor,
      JSON.stringify(point.headingPath),
      point.header,
      point.text,
    );
    this.insertVectors.run(lastInsertRowid, dense, lexical);
    return Number(lastInsertRowid);
  }

  /** The row of `vectors` goes with it. */
  remove(pointNo: number): void {
    this.deletePoint.run(pointNo);
  }

  pointNumbers(runRef: number, limit: number): number[] {
    return this.pointsOfRun.all(runRef, limit).map((row) => numberIn(row, 'point_no'));
  }

  removeRun(runRef: number): void {
    this.database.prepare('DELETE FROM runs WHERE run_ref = ?').run(runRef);
  }

  /**
   * Gives some free pages at the end of the file back to the file system, where too many are free. Outside a transaction.
   * @returns whether there are more
   */
  releaseSpace(): boolean {
    const { free, total } = this.pageCounts();
    if (free - total * KEPT_SHARE < RELEASED_PAGES) return false;
    this.database.exec(`PRAGMA incremental_vacuum(${RELEASED_PAGES})`);
    // A database that was made without `auto_vacuum` keeps what it has.
    return this.pageCounts().free < free;
  }

  runsOfRun({ organizationId, runId }: RunScope): StoredRun[] {
    return this.runs('organization_id = ? AND run_id = ?', [organizationId, runId]);
  }

  runsOfDatasource({ organizationId, datasourceId }: DatasourceScope): StoredRun[] {
    return [
      ...this.runs('organization_id = ? AND datasource_id = ?', [organizationId, datasourceId]),
      ...this.runs("organization_id = ? AND group_id = ? AND group_id <> ''", [organizationId, datasourceId]),
    ];
  }

  runsOfDatastore({ organizationId, datastoreId }: DatastoreScope): StoredRun[] {
    return this.runs(
      'datastore_ref IN (SELECT datastore_ref FROM datastores WHERE organization_id = ? AND datastore_id = ?)',
      [organizationId, datastoreId],
    );
  }

  runsOfSpace(spaceRef: number): StoredRun[] {
    return this.runs('datastore_ref IN (SELECT datastore_ref FROM datastores WHERE space_ref = ?)', [
      spaceRef,
    ]);
  }

  close(): void {
    this.database.close();
  }

  private pageCounts(): { free: number; total: number } {
    const row = this.pages.get() ?? {};
    return { free: numberIn(row, 'free'), total: numberIn(row, 'total') };
  }

  private runs(condition: string, parameters: readonly (string | number)[]): StoredRun[] {
    const rows = this.database
      .prepare(`SELECT run_ref, datastore_ref FROM runs WHERE ${condition}`)
      .all(...parameters);
    return rows.map((row) => ({
      runRef: numberIn(row, 'run_ref'),
      datastoreRef: numberIn(row, 'datastore_ref'),
    }));
  }

  private refOf(sql: string, parameters: readonly (string | number)[]): number {
    const row = this.database.prepare(sql).get(...parameters);
    if (row === undefined) throw new TypeError('an insert returned nothing');
    return numberIn(row, 'ref');
  }
}
