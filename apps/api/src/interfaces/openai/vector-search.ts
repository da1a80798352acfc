import {
  type DatastoreQuery,
  type DatastoreQueryItem,
  datastoreQuerySchema,
  type MetadataValue,
  type VectorStoreSearch,
} from '@citewell/contracts/schemas';
import { invalid } from '../../http/api-error.js';

const DEFAULT_RESULTS = 10;

/** The keys of a filter, and the fields of a query for them. Other keys are those of the metadata. */
const FILTER_FIELDS: ReadonlyMap<string, 'datasource_ids' | 'custom_ids'> = new Map([
  ['file_id', 'datasource_ids'],
  ['custom_id', 'custom_ids'],
]);

interface SearchPage {
  object: 'vector_store.search_results.page';
  search_query: string[];
  data: {
    file_id: string;
    filename: string;
    score: number;
    attributes: Record<string, string | number | boolean>;
    content: { type: 'text'; text: string }[];
  }[];
  has_more: false;
  next_page: null;
}

/** One query of a datastore for each query of the search. @throws {@link ApiError} `INVALID_REQUEST` */
export function toDatastoreQueries(search: VectorStoreSearch): DatastoreQuery[] {
  const filters = filtersOf(search.filters);
  return [search.query]
    .flat()
    .map((query) =>
      datastoreQuerySchema.parse({ query, topK: search.max_num_results ?? DEFAULT_RESULTS, filters }),
    );
}

/** The best passages of all queries. A passage that several queries find has its best score. */
export function toSearchPage(
  search: VectorStoreSearch,
  results: readonly (readonly DatastoreQueryItem[])[],
): SearchPage {
  const minScore = search.ranking_options?.score_threshold ?? 0;
  const best = new Map<string, DatastoreQueryItem>();
  for (const item of results.flat()) {
    if (item.score >= minScore && item.score > (best.get(item.chunk_id)?.score ?? -1))
      best.set(item.chunk_id, item);
  }
  const items = [...best.values()].toSorted((a, b) => b.score - a.score);
  return {
    object: 'vector_store.search_results.page',
    search_query: [search.query].flat(),
    data: items.slice(0, search.max_num_results ?? DEFAULT_RESULTS).map(toResult),
    has_more: false,
    next_page: null,
  };
}

function filtersOf(filter: VectorStoreSearch['filters']): DatastoreQuery['filters'] {
  if (!filter) return null;
  const comparisons = filter.type === 'and' ? filter.filters : [filter];
  const values = new Map<string, MetadataValue[]>();
  for (const { key, value } of comparisons) {
    if (values.has(key)) throw invalid('filters', `must not compare ${key} twice`);
    values.set(key, [value].flat());
  }
  const fields = [...values].map(([key, wanted]) => [FILTER_FIELDS.get(key), key, wanted] as const);
  const ids = fields.flatMap(([field, , wanted]) => (field ? [[field, wanted.map(String)] as const] : []));
  const metadata = fields.flatMap(([field, key, wanted]) => (field ? [] : [[key, wanted] as const]));
  return {
    ...Object.fromEntries(ids),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
  };
}

function toResult(item: DatastoreQueryItem): SearchPage['data'][number] {
  const { chunk_id, start, end, source, page_number, recognized, confidence, described, custom_id } = item;
  return {
    file_id: item.datasource_id,
    filename: item.datasource_name,
    score: item.score,
    attributes: {
      ...simpleValues(item.metadata ?? {}),
      ...simpleValues({
        chunk_id,
        start,
        end,
        source,
        page_number,
        recognized,
        confidence,
        described,
        custom_id,
      }),
    },
    content: [{ type: 'text', text: item.text }],
  };
}

/** Attributes are texts, numbers and booleans. */
function simpleValues(values: Record<string, unknown>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[key, value]]
        : [],
    ),
  );
}
