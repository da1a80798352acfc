import { QdrantCollection } from './qdrant-collection.js';
import type { StoredPoint } from './qdrant-collection.js';
import { QdrantHttpError, wrongInput } from './qdrant-errors.js';
import { compileFilter } from './qdrant-filter.js';
import { listOf, numberOf, objectOf, onlyFields, textOf } from './qdrant-json.js';
import type { JsonObject } from './qdrant-json.js';
import { runQuery } from './qdrant-query.js';

const DEFAULT_SCROLL = 10;

/**
 * The REST endpoints that the adapter uses, on collections in memory. Any other request fails with 404 or
 * 400.
 */
export class QdrantRoutes {
  private readonly collections = new Map<string, QdrantCollection>();
  private operations = 0;

  /** @param supportsCorpus whether `params.idf.corpus` is supported */
  constructor(private readonly supportsCorpus: boolean) {}

  /** @returns `result` of the response @throws QdrantHttpError */
  handle(method: string, path: string, body: JsonObject): unknown {
    const [root, name, ...rest] = path.split('/').slice(1).map(decodeURIComponent);
    if (root !== 'collections') throw new QdrantHttpError(404, 'Not found');
    if (name === undefined || name === '') return this.list(method);
    const route = [method, ...rest].join(' ');
    switch (route) {
      case 'PUT':
        return this.create(name, body);
      case 'GET':
        return this.find(name).info();
      case 'DELETE':
        return this.collections.delete(name);
      case 'GET exists':
        return { exists: this.collections.has(name) };
      default:
        return this.onPoints(this.find(name), route, body);
    }
  }

  private onPoints(collection: QdrantCollection, route: string, body: JsonObject): unknown {
    switch (route) {
      case 'PUT index':
        collection.addIndex(textOf(body['field_name'], 'field_name'), body['field_schema']);
        return this.completed();
      case 'PUT points':
        onlyFields(body, 'upsert', 'points');
        collection.upsert(body['points']);
        return this.completed();
      case 'POST points delete':
        onlyFields(body, 'delete', 'filter');
        if (body['filter'] === undefined) throw wrongInput('a selector is missing');
        collection.delete(body['filter']);
        return this.completed();
      case 'POST points count':
        onlyFields(body, 'count', 'filter', 'exact');
        return { count: collection.select(compileFilter(body['filter'])).length };
      case 'POST points scroll':
        return scroll(collection, body);
      case 'POST points': {
        onlyFields(body, 'retrieve', 'ids', 'with_payload', 'with_vector');
        const ids = new Set(listOf(body['ids'], 'ids'));
        const points = collection.select(() => true).filter(({ id }) => ids.has(id));
        return points.map((point) => toRecord(point, { with_payload: true, ...body }));
      }
      case 'POST points query':
        return this.query(collection, body);
      case 'POST points query batch':
        onlyFields(body, 'batch', 'searches');
        return listOf(body['searches'], 'searches').map((search) =>
          this.query(collection, objectOf(search, 'search')),
        );
      default:
        throw new QdrantHttpError(404, 'Not found');
    }
  }

  private query(collection: QdrantCollection, request: JsonObject): unknown {
    const found = runQuery(collection, request, this.supportsCorpus);
    return { points: found.map(({ point, score }) => ({ ...toRecord(point, request), version: 0, score })) };
  }

  private list(method: string): unknown {
    if (method !== 'GET') throw new QdrantHttpError(404, 'Not found');
    return { collections: Array.from(this.collections.keys(), (name) => ({ name })) };
  }

  private create(name: string, body: JsonObject): true {
    if (this.collections.has(name)) {
      throw new QdrantHttpError(409, `Wrong input: Collection \`${name}\` already exists!`);
    }
    this.collections.set(name, new QdrantCollection(body));
    return true;
  }

  private find(name: string): QdrantCollection {
    const collection = this.collections.get(name);
    if (collection === undefined) {
      throw new QdrantHttpError(404, `Not found: Collection \`${name}\` doesn't exist!`);
    }
    return collection;
  }

  private completed(): { operation_id: number; status: string } {
    return { operation_id: this.operations++, status: 'completed' };
  }
}

/** Returns a page of points in the order of their ids. The offset is the first id of the page. */
function scroll(collection: QdrantCollection, body: JsonObject): unknown {
  onlyFields(body, 'scroll', 'filter', 'limit', 'offset', 'with_payload', 'with_vector');
  const limit = numberOf(body['limit'] ?? DEFAULT_SCROLL, 'limit');
  const from = body['offset'] === undefined ? '' : textOf(body['offset'], 'offset');
  const points = collection
    .select(compileFilter(body['filter']))
    .filter(({ id }) => id >= from)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = points.slice(0, limit).map((point) => toRecord(point, { with_payload: true, ...body }));
  return { points: page, next_page_offset: points[limit]?.id ?? null };
}

function toRecord({ id, payload, dense, sparse }: StoredPoint, body: JsonObject): JsonObject {
  const shownPayload = pick(payload, body['with_payload'] ?? false);
  const vectors = {
    ...Object.fromEntries(
      Array.from(dense, ([name, vectors]) => [name, vectors.map((vector) => Array.from(vector))]),
    ),
    ...Object.fromEntries(
      Array.from(sparse, ([name, vector]) => [
        name,
        { indices: [...vector.keys()], values: [...vector.values()] },
      ]),
    ),
  };
  const shownVectors = pick(vectors, body['with_vector'] ?? false);
  return {
    id,
    ...(shownPayload && { payload: shownPayload }),
    ...(shownVectors && { vector: shownVectors }),
  };
}

/** @param selection all, none, or the names of fields */
function pick(object: JsonObject, selection: unknown): JsonObject | undefined {
  if (selection === false) return undefined;
  if (selection === true) return object;
  const names = listOf(selection, 'selection');
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}
