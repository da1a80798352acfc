import type { Schemas } from '@qdrant/js-client-rest';
import { type Candidate, commonTerms, type RankedCandidate } from '../score-fusion.js';
import { VectorStoreError } from '../vector-store.errors.js';
import type { Hit, Point, PointPayload, RunSummary } from '../vector-store.port.js';
import { DENSE, LEXICAL } from './qdrant-collection.js';

type Payload = Readonly<Record<string, unknown>>;

/** Payload fields that identify the run of a point. */
export const RUN_FIELDS = ['organization_id', 'datastore_id', 'datasource_id', 'run_id'];

/** The server accepts neither an empty sparse vector nor an empty multivector, so they are omitted. */
export function toPointStruct(point: Point): Schemas['PointStruct'] {
  const { lexical, dense } = point;
  return {
    id: point.id,
    vector: {
      ...(lexical.indices.length > 0 && {
        [LEXICAL]: { indices: [...lexical.indices], values: [...lexical.values] },
      }),
      ...(dense.length > 0 && { [DENSE]: dense.map((vector) => Array.from(vector)) }),
    },
    payload: {
      organization_id: point.organizationId,
      datastore_id: point.datastoreId,
      datasource_id: point.datasourceId,
      group_id: point.groupId,
      run_id: point.runId,
      ordinal: point.ordinal,
      text: point.text,
      header: point.header,
      page: point.page,
      ...(point.confidence === null ? {} : { confidence: point.confidence }),
      heading_path: point.headingPath,
      anchor: point.anchor,
      start: point.start,
      end: point.end,
      content_hash: point.contentHash,
    },
  };
}

export function toCandidate({ id, score }: Schemas['ScoredPoint']): Candidate<string> {
  return { key: String(id), score };
}

/**
 * Adds payloads and terms to ranked candidates. Omits candidates without a record: they were deleted meanwhile.
 *
 * @param terms see `SearchQuery`
 */
export function toHits(
  ranked: readonly RankedCandidate<string>[],
  records: readonly Pick<Schemas['Record'], 'id' | 'payload' | 'vector'>[],
  terms: readonly number[] = [],
): Hit[] {
  const byId = new Map(records.map((record) => [String(record.id), record]));
  return ranked.flatMap(({ key, ...scores }) => {
    const record = byId.get(key);
    if (record === undefined) return [];
    const { payload, vector } = record;
    return [{ ...toPayload(key, payload ?? {}), ...scores, terms: commonTerms(terms, toTerms(vector)) }];
  });
}

/** The term ids of a record; none if its lexical vector was not read, or the point has none. */
function toTerms(vector: Schemas['Record']['vector']): number[] {
  const lexical: unknown = vector ? Reflect.get(vector, LEXICAL) : undefined;
  const indices: unknown =
    typeof lexical === 'object' && lexical ? Reflect.get(lexical, 'indices') : undefined;
  return Array.isArray(indices) ? indices.map(Number) : [];
}

/** The dense vectors of a record; `undefined` if the point has none. */
export function toDense(vector: Schemas['Record']['vector']): Float32Array[] | undefined {
  if (vector === null || vector === undefined || Array.isArray(vector)) return undefined;
  const dense = vector[DENSE];
  if (!Array.isArray(dense)) return undefined;
  return dense.map((row) => Float32Array.from(Array.isArray(row) ? row : [], Number));
}

export function toRun(payload: Payload): Omit<RunSummary, 'points'> {
  return {
    organizationId: textIn(payload, 'organization_id'),
    datastoreId: textIn(payload, 'datastore_id'),
    datasourceId: textIn(payload, 'datasource_id'),
    runId: textIn(payload, 'run_id'),
  };
}

export function contentHashOf(payload: Payload): string {
  return textIn(payload, 'content_hash');
}

function toPayload(id: string, payload: Payload): PointPayload {
  return {
    id,
    ...toRun(payload),
    groupId: nullableIn(payload, 'group_id', textIn),
    ordinal: numberIn(payload, 'ordinal'),
    text: textIn(payload, 'text'),
    header: textIn(payload, 'header'),
    page: nullableIn(payload, 'page', numberIn),
    confidence: nullableIn(payload, 'confidence', numberIn),
    headingPath: textsIn(payload, 'heading_path'),
    anchor: nullableIn(payload, 'anchor', textIn),
    start: numberIn(payload, 'start'),
    end: numberIn(payload, 'end'),
    contentHash: contentHashOf(payload),
  };
}

function textIn(payload: Payload, field: string): string {
  const value = payload[field];
  if (typeof value !== 'string') throw malformed(field);
  return value;
}

function numberIn(payload: Payload, field: string): number {
  const value = payload[field];
  if (typeof value !== 'number') throw malformed(field);
  return value;
}

function textsIn(payload: Payload, field: string): string[] {
  const value = payload[field];
  if (!Array.isArray(value)) throw malformed(field);
  return value.map(String);
}

function nullableIn<T>(
  payload: Payload,
  field: string,
  read: (payload: Payload, field: string) => T,
): T | null {
  return payload[field] === null || payload[field] === undefined ? null : read(payload, field);
}

function malformed(field: string): VectorStoreError {
  return new VectorStoreError(`payload field ${field} of a point is missing or has the wrong type`);
}
