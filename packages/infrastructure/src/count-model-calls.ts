import type { OnModelCall } from '@citewell/models';
import type { Metrics } from '@citewell/observability';

/** Counts the requests to model providers and their tokens. */
export function countModelCalls(metrics: Pick<Metrics, 'modelCalls' | 'modelTokens'>): OnModelCall {
  return ({ kind, outcome, seconds, inputTokens, outputTokens }) => {
    metrics.modelCalls.observe({ kind, outcome }, seconds);
    metrics.modelTokens.inc({ kind, direction: 'input' }, inputTokens);
    if (kind === 'chat') metrics.modelTokens.inc({ kind, direction: 'output' }, outputTokens);
  };
}
