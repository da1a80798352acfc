import type { ServerResponse } from 'node:http';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';

/** Without a started SDK, every span of this tracer is one that does nothing. */
const tracer = () => trace.getTracer('citewell');

/**
 * Runs `work` in a span of the trace of a run: its stages, in any process and on any try, are in one trace. An error that
 * it throws fails the span; its message is not recorded, because it may contain text of a user.
 *
 * @param attributes ids, counts and values of closed sets only, never content
 */
export async function withRunSpan<Result>(
  runId: string,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const inTrace = trace.setSpanContext(context.active(), contextOfRun(runId));
  return tracer().startActiveSpan(name, { attributes }, inTrace, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Links the current span, such as that of an upload, to the traces of the runs that it has started. */
export function linkRuns(runIds: readonly string[]): void {
  const span = trace.getActiveSpan();
  for (const runId of runIds) span?.addLink({ context: contextOfRun(runId) });
}

/** Records a call that has ended, such as one to a model, as a child of the current span. */
export function recordCall(name: string, attributes: Attributes, seconds: number, failed: boolean): void {
  const endTime = Date.now();
  const startTime = endTime - seconds * 1_000;
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime });
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endTime);
}

/**
 * Runs `work` in the span of an HTTP request, in the trace of its `traceparent` header (W3C Trace Context) if it has one.
 * The span ends with the response.
 */
export function withRequestSpan(
  headers: Readonly<Record<string, unknown>>,
  attributes: Attributes,
  response: Pick<ServerResponse, 'statusCode' | 'once'>,
  work: () => void,
): void {
  const parent = propagation.extract(context.active(), headers);
  const span = tracer().startSpan('request', { kind: SpanKind.SERVER, attributes }, parent);
  response.once('close', () => span.setAttribute('status', response.statusCode).end());
  context.with(trace.setSpan(parent, span), work);
}

/** The trace of a run has the id of the run: a UUID has as many bytes as the id of a trace. */
function contextOfRun(runId: string): SpanContext {
  const traceId = runId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
