import type { Agent, DatastoreQuery, ExplainedPassage } from '@citewell/sdk';

type Filters = NonNullable<DatastoreQuery['filters']>;
export const KINDS = ['file', 'text', 'web_page', 'web_site', 'source'] as const satisfies Filters['types'];
export const FIELDS = ['name', 'type', 'after', 'before', 'metadata'] as const;
export type Field = (typeof FIELDS)[number];

/** A condition that documents must meet. */
export interface Condition {
  readonly field: Field;
  /** The field of the metadata; empty for other fields. */
  readonly key: string;
  /** What was typed. Of dates: YYYY-MM-DD. */
  readonly value: string;
}

/**
 * The filters of a search. Conditions of the same field are alternatives, others must all be met. One without a value is left out.
 *
 * @param datasourceId of the only document that is searched; null: all
 * @returns undefined if nothing limits the search
 */
export function filtersOf(
  conditions: readonly Condition[],
  datasourceId: string | null,
): Filters | undefined {
  const complete = conditions
    .map((condition) => ({ ...condition, key: condition.key.trim(), value: condition.value.trim() }))
    .filter(({ field, key, value }) => value !== '' && (field !== 'metadata' || key !== ''));
  const valuesOf = (field: Field): string[] =>
    complete.filter((condition) => condition.field === field).map(({ value }) => value);
  const types = KINDS.filter((kind) => valuesOf('type').includes(kind));
  const metadata = Map.groupBy(
    complete.filter(({ field }) => field === 'metadata'),
    ({ key }) => key,
  );
  const latest = valuesOf('after').toSorted().at(-1);
  const [earliest] = valuesOf('before').toSorted();
  const filters: Filters = {
    ...(datasourceId === null ? {} : { datasource_ids: [datasourceId] }),
    ...(valuesOf('name').length === 0 ? {} : { names: valuesOf('name') }),
    ...(types.length === 0 ? {} : { types }),
    ...(latest === undefined ? {} : { created_after: latest }),
    ...(earliest === undefined ? {} : { created_before: earliest }),
    ...(metadata.size === 0
      ? {}
      : {
          metadata: Object.fromEntries(
            Array.from(metadata, ([key, all]) => [key, all.flatMap(({ value }) => metadataValues(value))]),
          ),
        }),
  };
  return Object.keys(filters).length === 0 ? undefined : filters;
}

/** What a typed value may be in the metadata: 2024 is a text or a number. */
function metadataValues(value: string): (string | number | boolean)[] {
  if (value === 'true' || value === 'false') return [value, value === 'true'];
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? [value, number] : [value];
}

/** What decides which passages an agent reads. */
type Reader = Pick<Agent, 'minScore' | 'topK'> & { readonly name: string | null };

/** Where the passages end that these agents read. */
export interface AgentLine {
  /** Passages above the line. */
  readonly count: number;
  readonly readers: readonly Reader[];
}

/** Settings of an agent for which nothing was chosen. */
const USUAL: Reader = { name: null, minScore: 0.5, topK: 12 };

/**
 * The lines below which agents of a datastore read no passage, the highest first. An agent without filters reads a passage
 * whose rank and relevance among all passages are good enough for it. A datastore without agents has the line of the usual
 * settings.
 */
export function agentLines(
  passages: readonly Pick<ExplainedPassage, 'overall'>[],
  agents: readonly Agent[],
  datastoreId: string,
): AgentLine[] {
  const own = agents.filter(({ datastoreIds }) => datastoreIds.includes(datastoreId));
  const lines = new Map<number, Reader[]>();
  for (const reader of own.length > 0 ? own : [USUAL]) {
    const count = passages.findLastIndex(({ overall }) => isRead(overall, reader)) + 1;
    lines.set(count, [...(lines.get(count) ?? []), reader]);
  }
  return [...lines]
    .map(([count, readers]) => ({ count, readers }))
    .toSorted((one, other) => one.count - other.count);
}

function isRead(overall: ExplainedPassage['overall'], { minScore, topK }: Reader): boolean {
  return overall !== null && overall.score >= minScore && overall.rank <= topK;
}
