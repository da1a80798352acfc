import type { OnModelCall } from '@citewell/models';
import { type Metrics, recordCall } from '@citewell/observability';

/**
 * Counts the requests to model providers and their tokens, and adds them to the trace.
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
    recordCall(`${kind} model`, { outcome, inputTokens, outputTokens }, seconds, call.failure !== undefined);
    onCall?.(call);
  };
}
