import type { Agent, ExplainedPassage } from '@citewell/sdk';

/** What decides which passages an agent reads. */
export type Reader = Pick<Agent, 'minScore' | 'topK'> & { readonly name: string | null };

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
