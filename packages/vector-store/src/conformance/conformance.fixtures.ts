import { randomUUID } from 'node:crypto';
import type { Hit, Point, SearchQuery, Space, SparseVector, VectorStore } from '../vector-store.port.js';

/** Dimensions of the dense vectors in the suite. */
export const DIMENSIONS = 8;

/** A tenant with one datastore. */
export interface Tenant {
  readonly organizationId: string;
  readonly datastoreId: string;
}

export function makeTenant(): Tenant {
  return { organizationId: randomUUID(), datastoreId: randomUUID() };
}

/** A second datastore of the same organization. */
export function makeSibling({ organizationId }: Tenant): Tenant {
  return { organizationId, datastoreId: randomUUID() };
}

/** A space with a unique name, so that suites can share a server. */
export function makeSpace(dense: Space['dense'] = { dimensions: DIMENSIONS }): Space {
  return { name: `suite_${randomUUID().replaceAll('-', '_')}`, dense };
}

/** A minimal encoder: lower-cased words hashed with FNV-1a, weighted by saturated term frequency. */
export function sparse(text: string): SparseVector {
  const counts = new Map<number, number>();
  for (const word of text.toLowerCase().split(/\W+/).filter(Boolean)) {
    let hash = 0x811c9dc5;
    for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    counts.set(hash >>> 0, (counts.get(hash >>> 0) ?? 0) + 1);
  }
  const entries = [...counts].sort(([a], [b]) => a - b);
  return {
    indices: entries.map(([term]) => term),
    values: entries.map(([, count]) => (count * 2.2) / (count + 1.2)),
  };
}

/** The terms of a query, each with weight 1. */
export function terms(text: string): SparseVector {
  const { indices } = sparse(text);
  return { indices, values: indices.map(() => 1) };
}

/** A vector along one axis, tilted towards the next one. */
export function axis(number: number, tilt = 0): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  vector[number % DIMENSIONS] = 1;
  vector[(number + 1) % DIMENSIONS]! += tilt;
  return vector;
}

/** A point with default values. */
export function makePoint(tenant: Tenant, text: string, overrides: Partial<Point> = {}): Point {
  return {
    id: randomUUID(),
    ...tenant,
    datasourceId: randomUUID(),
    groupId: null,
    runId: randomUUID(),
    ordinal: 0,
    text,
    header: '',
    confidence: null,
    page: null,
    headingPath: [],
    anchor: null,
    start: 0,
    end: text.length,
    contentHash: Buffer.from(text).toString('base64url').slice(0, 64) || 'empty',
    lexical: sparse(text),
    dense: [axis(0)],
    ...overrides,
  };
}

/** A lexical query. */
export function lexicalQuery(text: string, overrides: Partial<SearchQuery> = {}): SearchQuery {
  return { lexical: terms(text), limit: 10, ...overrides };
}

/** The search scope of one or more datastores of one organization. */
export function scopeOf(...tenants: [Tenant, ...Tenant[]]): {
  organizationId: string;
  datastoreIds: string[];
} {
  return {
    organizationId: tenants[0].organizationId,
    datastoreIds: tenants.map(({ datastoreId }) => datastoreId),
  };
}

export function textsOf(hits: readonly Hit[]): string[] {
  return hits.map(({ text }) => text);
}

/** State shared by the parts of the suite. */
export interface Suite {
  /** Set once the tests run. */
  readonly store: VectorStore;
  /** Whether idf is computed per datastore. */
  readonly hasScopedIdf: boolean;
  readonly space: Space;
  readonly lexicalSpace: Space;
  /** Texts of the 10 best lexical hits in the tenant's datastore. */
  search(tenant: Tenant, words: string): Promise<string[]>;
}
