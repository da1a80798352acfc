/**
 * The filters of a request that are empty lists. They mean "no filter", which existing clients expect; an application that
 * filters by permission means "nothing".
 */
export function emptyFilters(body: unknown): string[][] {
  if (!isObject(body) || !isObject(body['filters'])) return [];
  return Object.entries(body['filters']).flatMap(([key, value]) =>
    Array.isArray(value) && value.length === 0 ? [['filters', key]] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
