import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DatasourceScope, PointPayload, RunScope, Space } from '../vector-store.port.js';
import { numberIn, payloadChecksum, uuidToBytes, vectorsChecksum } from './sql-row.js';
import { BUSY_TIMEOUT_MS } from './storage.schema.js';

/** Pages released per vacuum step: half a megabyte, a few milliseconds. */
const VACUUM_PAGES = 64;
/** Up to this share of the file stays free for later writes, so that the file need not grow again. */
const MAX_FREE_SHARE = 0.2;

/** Row numbers of a run and of its datastore. */
export interface StoredRun {
  readonly runRef: number;
  readonly datastoreRef: number;
}

/** Writes points on a separate connection. The caller begins and ends transactions. */
export class PointWriter {
  private readonly insertPoint: StatementSync;
  private readonly insertVectors: StatementSync;
  private readonly deletePoint: StatementSync;
  private readonly pointById: StatementSync;
  private readonly pointsOfRun: StatementSync;
  private readonly dataVersion: StatementSync;
  private readonly pageCount: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.insertPoint = database.prepare(`
      INSERT INTO points (space_ref, datastore_ref, run_ref, id, ordinal, page, confidence, start_offset, end_offset,
        content_hash, anchor, heading_path, header, text, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.insertVectors = database.prepare(
      'INSERT INTO vectors (point_no, dense, lexical, checksum) VALUES (?, ?, ?, ?)',
    );
    this.deletePoint = database.prepare('DELETE FROM points WHERE point_no = ?');
    this.pointById = database.prepare(
      'SELECT point_no, datastore_ref FROM points WHERE space_ref = ? AND id = ?',
    );
    this.pointsOfRun = database.prepare('SELECT point_no FROM points WHERE run_ref = ? LIMIT ?');
    this.dataVersion = database.prepare('PRAGMA data_version');
    this.pageCount = database.prepare(
      'SELECT freelist_count AS free, page_count AS total FROM pragma_freelist_count, pragma_page_count',
    );
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.database.exec('COMMIT');
  }

  /** Rolls the transaction back. Does nothing if SQLite has already ended it, as it does on a full disk. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /**
   * A number that changes with every commit of another process (`PRAGMA data_version`), and only then: this
   * connection is the only one of this process that writes.
   */
  externalVersion(): number {
    const row = this.dataVersion.get();
    return row === undefined ? 0 : numberIn(row, 'data_version');
  }

  addSpace(space: Space): void {
    this.database
      .prepare('INSERT INTO spaces (name, dimensions) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
      .run(space.name, space.dense?.dimensions ?? null);
  }

  /** Returns the run of a point. Inserts the run and its datastore if they are new. */
  runOf(spaceRef: number, point: PointPayload): StoredRun {
    const { organizationId, datastoreId, datasourceId, runId } = point;
    const datastoreRef = this.refOf(
      `INSERT INTO datastores (space_ref, organization_id, datastore_id) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET datastore_id = excluded.datastore_id RETURNING datastore_ref AS ref`,
      [spaceRef, organizationId, datastoreId],
    );
    const runRef = this.refOf(
      `INSERT INTO runs (datastore_ref, organization_id, datasource_id, group_id, run_id)
       VALUES (?, ?, ?, ?, ?)
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

  /** @returns the number of the new row */
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
      point.confidence,
      point.start,
      point.end,
      point.contentHash,
      point.anchor,
      JSON.stringify(point.headingPath),
      point.header,
      point.text,
      payloadChecksum(point),
    );
    this.insertVectors.run(lastInsertRowid, dense, lexical, vectorsChecksum(dense, lexical));
    return Number(lastInsertRowid);
  }

  /** Also removes the row of `vectors`, by cascade. */
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
   * Returns up to {@link VACUUM_PAGES} free pages to the file system if more than {@link MAX_FREE_SHARE} of
   * the file is free. Must not be called within a transaction.
   * @returns whether to call it again
   */
  vacuumStep(): boolean {
    const { free, total } = this.pageCounts();
    if (free - total * MAX_FREE_SHARE < VACUUM_PAGES) return false;
    this.database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    // Without progress, stop: the database was created without `auto_vacuum`.
    return this.pageCounts().free < free;
  }

  /**
   * Moves the write-ahead log into the file and empties it: the log has the bytes of rows that were deleted since. Does not
   * wait for other processes. Must not be called within a transaction.
   * @returns false if another process reads, so that the log stays
   */
  emptyLog(): boolean {
    this.database.exec('PRAGMA busy_timeout = 0');
    try {
      const row = this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
      return numberIn(row, 'busy') === 0;
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
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

  close(): void {
    this.database.close();
  }

  private pageCounts(): { free: number; total: number } {
    const row = this.pageCount.get() ?? {};
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
    if (row === undefined) throw new TypeError('INSERT … RETURNING returned no row');
    return numberIn(row, 'ref');
  }
}
