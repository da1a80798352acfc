import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Metrics } from '../metrics.js';
import { linkRuns, recordCall, withRequestSpan, withRunSpan } from './spans.js';
import { startTelemetry } from './telemetry.js';

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: object }[];
  links: { traceId: string }[];
}

describe('startTelemetry', () => {
  const received: { path: string; body: string }[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', body });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  beforeAll(async () => {
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] =
      `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    collector.close();
  });

  it('sends a request, a stage in the trace of its run, its call to a model, and the metrics', async () => {
    const metrics = new Metrics('api');
    metrics.answers.inc({ outcome: 'done' });
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = process.env;
    const telemetry = await startTelemetry('api', endpoint, metrics, pino({ level: 'silent' }));

    const runId = '018f2a4c-7b1d-7cc2-9f00-1234567890ab';
    await withRunSpan(runId, 'index', { stage: 'index' }, async () =>
      recordCall('embedding model', {}, 0.25, true),
    );
    const failed = withRunSpan(runId, 'parse', {}, async () => {
      throw new TypeError('text of a user');
    });
    await expect(failed).rejects.toThrow(TypeError);
    const response = { statusCode: 201, once: (_: string, ended: () => void) => ends.push(ended) };
    const ends: (() => void)[] = [];
    const caller = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${caller}-00f067aa0ba902b7-01` };
    withRequestSpan(headers, { route: '/x' }, response as never, () => {
      recordCall('chat model', {}, 1, false);
      linkRuns([runId]);
    });
    for (const end of ends) end();
    await telemetry.stop();

    const sent = received
      .filter(({ path }) => path === '/v1/traces')
      .map(({ body }) => JSON.parse(body) as never);
    const spans = sent.flatMap(
      ({ resourceSpans }: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    const named = (name: string) => spans.find((span) => span.name === name);
    const traceId = '018f2a4c7b1d7cc29f001234567890ab';
    expect(named('index')).toMatchObject({ traceId });
    expect(named('embedding model')).toMatchObject({ traceId, parentSpanId: named('index')?.spanId });
    expect(named('parse')).toMatchObject({ traceId, status: { code: 2, message: 'TypeError' } });
    expect(named('request')).toMatchObject({ traceId: caller, parentSpanId: '00f067aa0ba902b7' });
    expect(named('request')?.attributes).toContainEqual({ key: 'status', value: { intValue: 201 } });
    expect(named('request')?.links).toMatchObject([{ traceId }]);
    expect(named('chat model')).toMatchObject({ parentSpanId: named('request')?.spanId });
    expect(received.map(({ body }) => body).join()).not.toContain('text of a user');
    expect(received.find(({ path }) => path === '/v1/metrics')?.body).toContain('citewell_answers_total');
  });

  it('loads nothing and sends nothing without an endpoint', async () => {
    const telemetry = await startTelemetry('api', undefined, new Metrics('api'), pino({ level: 'silent' }));
    const before = received.length;
    await withRunSpan('018f2a4c-7b1d-7cc2-9f00-1234567890ab', 'index', {}, async () => undefined);
    await telemetry.stop();
    expect(received).toHaveLength(before);
  });
});
