import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PointPayload, RunScope, RunSummary, Space } from '../vector-store.port.js';
import type { IndexedDocument } from './datastore-index.js';
import { DamagedStorageError } from './engine.protocol.js';
import { decodeDense, toFloats } from './dense-vectors.codec.js';
import { decodeSparse } from './point-batch.codec.js';
import {
  assertChecksum,
  bytesIn,
  nullableIn,
  numberIn,
  payloadChecksum,
  type SqlRow,
  textIn,
  uuidFromBytes,
  vectorsChecksum,
} from './sql-row.js';

/** A space with its row number. */
export interface StoredSpace {
  readonly spaceRef: number;
  readonly space: Space;
}

/**
 * Counts the points of a run. `CROSS JOIN` makes SQLite start at the run and use the index on its points.
 * Otherwise it scans all points of the space. The same applies to {@link VECTORS_BY_HASH}.
 */
export const RUN_COUNT = `
  SELECT count(*) AS points FROM runs r JOIN datastores d ON d.datastore_ref = r.datastore_ref
  CROSS JOIN points p ON p.run_ref = r.run_ref
  WHERE d.space_ref = ? AND r.organization_id = ? AND r.run_id = ?`;
export const VECTORS_BY_HASH = `
  SELECT p.content_hash, v.dense, v.lexical, v.checksum FROM runs r JOIN datastores d ON d.datastore_ref = r.datastore_ref
  CROSS JOIN points p ON p.run_ref = r.run_ref
  CROSS JOIN vectors v ON v.point_no = p.point_no
  WHERE d.space_ref = ? AND r.organization_id = ? AND r.run_id = ?
    AND p.content_hash IN (SELECT value FROM json_each(?)) AND v.dense IS NOT NULL`;

/** Reads points on a separate connection, which sees the last commit and never an open transaction. */
export class PointReader {
  private readonly spaceByName: StatementSync;
  private readonly datastoreById: StatementSync;
  private readonly documents: StatementSync;
  private readonly pointByNumber: StatementSync;
  private readonly termsByNumber: StatementSync;
  private readonly vectorsByNumber: StatementSync;
  private readonly runCount: StatementSync;
  private readonly vectorsByHash: StatementSync;
  private readonly runSummaries: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.spaceByName = database.prepare('SELECT space_ref, name, dimensions FROM spaces WHERE name = ?');
    this.datastoreById = database.prepare(
      'SELECT datastore_ref FROM datastores WHERE space_ref = ? AND organization_id = ? AND datastore_id = ?',
    );
    this.documents = database.prepare(`
      SELECT p.point_no, p.run_ref, r.datasource_id, r.group_id, v.dense, v.lexical, v.checksum
      FROM points p JOIN vectors v ON v.point_no = p.point_no JOIN runs r ON r.run_ref = p.run_ref
      WHERE p.datastore_ref = ? AND p.point_no > ? ORDER BY p.point_no LIMIT ?`);
    this.pointByNumber = database.prepare(`
      SELECT p.*, d.organization_id, d.datastore_id, r.datasource_id, r.group_id, r.run_id
      FROM points p JOIN runs r ON r.run_ref = p.run_ref
      JOIN datastores d ON d.datastore_ref = p.datastore_ref
      WHERE p.point_no = ?`);
    this.termsByNumber = database.prepare('SELECT lexical FROM vectors WHERE point_no = ?');
    this.vectorsByNumber = database.prepare(`
      SELECT point_no, dense FROM vectors
      WHERE point_no IN (SELECT value FROM json_each(?)) AND dense IS NOT NULL`);
    this.runCount = database.prepare(RUN_COUNT);
    this.vectorsByHash = database.prepare(VECTORS_BY_HASH);
    this.runSummaries = database.prepare(`
      SELECT r.run_ref, r.organization_id, d.datastore_id, r.datasource_id, r.run_id,
        (SELECT count(*) FROM points p WHERE p.run_ref = r.run_ref) AS points
      FROM runs r JOIN datastores d ON d.datastore_ref = r.datastore_ref
      WHERE d.space_ref = ? AND r.run_ref > ? ORDER BY r.run_ref LIMIT ?`);
  }

  findSpace(name: string): StoredSpace | undefined {
    const row = this.spaceByName.get(name);
    return row === undefined ? undefined : toSpace(row);
  }

  spaces(): Space[] {
    const rows = this.database.prepare('SELECT space_ref, name, dimensions FROM spaces ORDER BY name').all();
    return rows.map((row) => toSpace(row).space);
  }

  findDatastore(spaceRef: number, organizationId: string, datastoreId: string): number | undefined {
    const row = this.datastoreById.get(spaceRef, organizationId, datastoreId);
    return row === undefined ? undefined : numberIn(row, 'datastore_ref');
  }

  /** The documents of a datastore after a row number, in order. */
  documentsAfter(datastoreRef: number, pointNo: number, limit: number): IndexedDocument[] {
    return this.documents.all(datastoreRef, pointNo, limit).map(toDocument);
  }

  findPoint(pointNo: number): PointPayload | undefined {
    const row = this.pointByNumber.get(pointNo);
    return row === undefined ? undefined : toPayload(row);
  }

  /** The term ids of a point, ascending; none if the point does not exist. */
  findTerms(pointNo: number): Uint32Array {
    const row = this.termsByNumber.get(pointNo);
    return row === undefined ? new Uint32Array(0) : decodeSparse(bytesIn(row, 'lexical')).terms;
  }

  /** The dense vectors of points in their stored form. One statement takes half the time of one per point. */
  findVectors(pointNos: readonly number[]): Map<number, Uint8Array> {
    const rows = this.vectorsByNumber.all(JSON.stringify(pointNos));
    return new Map(rows.map((row) => [numberIn(row, 'point_no'), bytesIn(row, 'dense')]));
  }

  countRun(spaceRef: number, { organizationId, runId }: RunScope): number {
    const row = this.runCount.get(spaceRef, organizationId, runId);
    return row === undefined ? 0 : numberIn(row, 'points');
  }

  fetchVectors(
    { spaceRef, space }: StoredSpace,
    scope: RunScope,
    contentHashes: readonly string[],
  ): Map<string, Float32Array[]> {
    if (space.dense === null) return new Map();
    const { dimensions } = space.dense;
    const hashes = JSON.stringify(contentHashes);
    const rows = this.vectorsByHash.all(spaceRef, scope.organizationId, scope.runId, hashes);
    return new Map(
      rows.map((row) => {
        const dense = bytesIn(row, 'dense');
        assertVectors(row, dense, bytesIn(row, 'lexical'));
        return [textIn(row, 'content_hash'), toFloats(decodeDense(dense, dimensions), dimensions)];
      }),
    );
  }

  /** The runs after a row number, in order, including those without points. */
  runsAfter(spaceRef: number, runRef: number, limit: number): (RunSummary & { runRef: number })[] {
    return this.runSummaries.all(spaceRef, runRef, limit).map((row) => ({
      runRef: numberIn(row, 'run_ref'),
      organizationId: textIn(row, 'organization_id'),
      datastoreId: textIn(row, 'datastore_id'),
      datasourceId: textIn(row, 'datasource_id'),
      runId: textIn(row, 'run_id'),
      points: numberIn(row, 'points'),
    }));
  }

  /** The first problem in the structure of the database. Reads all of it. */
  check(): string[] {
    const rows = this.database.prepare('PRAGMA quick_check(1)').all();
    return rows.map((row) => textIn(row, 'quick_check')).filter((result) => result !== 'ok');
  }

  close(): void {
    this.database.close();
  }
}

function toSpace(row: SqlRow): StoredSpace {
  const dimensions = nullableIn(row, 'dimensions', numberIn);
  const space = { name: textIn(row, 'name'), dense: dimensions === null ? null : { dimensions } };
  return { spaceRef: numberIn(row, 'space_ref'), space };
}

function assertVectors(row: SqlRow, dense: Uint8Array | null, lexical: Uint8Array): void {
  assertChecksum(nullableIn(row, 'checksum', numberIn), vectorsChecksum(dense, lexical));
}

function toDocument(row: SqlRow): IndexedDocument {
  const [dense, lexical] = [nullableIn(row, 'dense', bytesIn), bytesIn(row, 'lexical')];
  assertVectors(row, dense, lexical);
  return {
    pointNo: numberIn(row, 'point_no'),
    run: {
      runRef: numberIn(row, 'run_ref'),
      datasourceId: textIn(row, 'datasource_id'),
      groupId: textIn(row, 'group_id') || null,
    },
    ...decodeSparse(lexical),
    dense,
  };
}

function toPayload(row: SqlRow): PointPayload {
  const payload = {
    id: uuidFromBytes(bytesIn(row, 'id')),
    organizationId: textIn(row, 'organization_id'),
    datastoreId: textIn(row, 'datastore_id'),
    datasourceId: textIn(row, 'datasource_id'),
    groupId: textIn(row, 'group_id') || null,
    runId: textIn(row, 'run_id'),
    ordinal: numberIn(row, 'ordinal'),
    text: textIn(row, 'text'),
    header: textIn(row, 'header'),
    page: nullableIn(row, 'page', numberIn),
    confidence: nullableIn(row, 'confidence', numberIn),
    headingPath: toHeadingPath(textIn(row, 'heading_path')),
    anchor: nullableIn(row, 'anchor', textIn),
    start: numberIn(row, 'start_offset'),
    end: numberIn(row, 'end_offset'),
    contentHash: textIn(row, 'content_hash'),
  };
  assertChecksum(nullableIn(row, 'checksum', numberIn), payloadChecksum(payload));
  return payload;
}

function toHeadingPath(json: string): string[] {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed.map(String) : [];
  } catch (cause) {
    throw new DamagedStorageError('a heading path is not JSON', { cause });
  }
}
