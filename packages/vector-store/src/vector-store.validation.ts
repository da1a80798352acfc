import { VectorStoreError } from './vector-store.errors.js';
import { MAX_SEARCH_LIMIT } from './vector-store.port.js';
import type { Point, SearchQuery, Space, SparseVector, TenantScope } from './vector-store.port.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SPACE_NAME = /^[a-z0-9_]{1,128}$/;
const CONTENT_HASH = /^[A-Za-z0-9+/=_:-]{1,128}$/;
const MAX_DIMENSIONS = 16_384;
const MAX_UINT32 = 0xffff_ffff;

/** Accepts lower-case UUIDs only: an id that the product did not generate must not reach a filter. */
export function assertUuid(value: string, name: string): void {
  if (typeof value !== 'string' || !UUID.test(value)) throw new VectorStoreError(`${name} is not a UUID`);
}

/** Requires every property of the scope to be a UUID. */
export function assertScope(scope: Readonly<Record<string, string>> | object): void {
  for (const [name, value] of Object.entries(scope)) assertUuid(value, name);
}

function assertSpaceName(name: string): void {
  if (typeof name !== 'string' || !SPACE_NAME.test(name)) throw new VectorStoreError('invalid space name');
}

export function assertSpace(space: Space): void {
  assertSpaceName(space.name);
  if (space.dense === null) return;
  const { dimensions } = space.dense;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new VectorStoreError(`dimensions must be an integer from 1 to ${MAX_DIMENSIONS}`);
  }
}

export function assertPoints(space: Space, points: readonly Point[]): void {
  assertSpace(space);
  for (const point of points) {
    const { id, organizationId, datastoreId, datasourceId, runId, groupId } = point;
    assertScope({ id, organizationId, datastoreId, datasourceId, runId });
    if (groupId !== null) assertUuid(groupId, 'groupId');
    assertContentHash(point.contentHash);
    assertSparse(point.lexical);
    for (const vector of point.dense) assertDense(space, vector);
  }
}

export function assertTenant(tenant: TenantScope): void {
  assertUuid(tenant.organizationId, 'organizationId');
  if (tenant.datastoreIds.length === 0) throw new VectorStoreError('datastoreIds must not be empty');
  for (const id of tenant.datastoreIds) assertUuid(id, 'datastoreId');
}

export function assertQuery(space: Space, query: SearchQuery): void {
  assertSpace(space);
  const { limit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_SEARCH_LIMIT) {
    throw new VectorStoreError(`limit must be an integer from 1 to ${MAX_SEARCH_LIMIT}`);
  }
  for (const id of query.datasourceIds ?? []) assertUuid(id, 'datasourceId');
  if (query.lexical !== undefined) assertSparse(query.lexical);
  if (query.dense !== undefined) assertDense(space, query.dense);
  const { denseWeight = 0 } = query;
  if (!(denseWeight >= 0 && denseWeight <= 1)) throw new VectorStoreError('denseWeight must be in 0..1');
}

export function assertContentHash(hash: string): void {
  if (typeof hash !== 'string' || !CONTENT_HASH.test(hash))
    throw new VectorStoreError('invalid content hash');
}

function assertSparse({ indices, values }: SparseVector): void {
  if (indices.length !== values.length)
    throw new VectorStoreError('a sparse vector must have as many values as indices');
  let previous = -1;
  for (const index of indices) {
    if (!Number.isInteger(index) || index <= previous || index > MAX_UINT32) {
      throw new VectorStoreError('indices of a sparse vector must be uint32 and strictly ascending');
    }
    previous = index;
  }
  if (!values.every((value) => value > 0 && Number.isFinite(value))) {
    throw new VectorStoreError('values of a sparse vector must be positive and finite');
  }
}

function assertDense(space: Space, vector: Float32Array): void {
  if (vector.length !== space.dense?.dimensions) {
    const expected = space.dense === null ? 'no dense vectors' : `${space.dense.dimensions} dimensions`;
    throw new VectorStoreError(`space ${space.name} has ${expected}, the vector has ${vector.length}`);
  }
  if (!vector.every(Number.isFinite)) throw new VectorStoreError('values of a dense vector must be finite');
}
