import type { OnModelCall } from '@citewell/models';
import type { Metrics } from '@citewell/observability';

/**
 * Counts the requests to model providers and their tokens.
 *
 * @param onCall is called with each request, after it is counted
 */
export function countModelCalls(
  metrics: Pick<Metrics, 'modelCalls' | 'modelTokens'>,
  onCall?: OnModelCall,
): OnModelCall {
  return (call) => {
    const { kind, outcome, seconds, inputTokens, outputTokens } = call;
    metrics.modelCalls.observe({ kind, outcome }, seconds);
    metrics.modelTokens.inc({ kind, direction: 'input' }, inputTokens);
    if (kind === 'chat') metrics.modelTokens.inc({ kind, direction: 'output' }, outputTokens);
    onCall?.(call);
  };
}
