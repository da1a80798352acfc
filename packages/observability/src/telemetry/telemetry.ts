import { diag, DiagLogLevel, type HrTime } from '@opentelemetry/api';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';

/** Sends traces and metrics of this process to a collector. */
export interface Telemetry {
  /** Sends what is left. Never rejects: a collector that is down does not keep a process from stopping. */
  stop(): Promise<void>;
}

const OFF: Telemetry = { stop: async () => {} };
const METRICS_INTERVAL_MS = 60_000;

/**
 * Starts sending over OTLP/HTTP. Without an endpoint nothing is loaded, and spans cost nothing. Other settings, such
 * as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`, are read by the SDK: see the OpenTelemetry specification,
 * "Environment Variable Specification".
 *
 * @param endpoint `OTEL_EXPORTER_OTLP_ENDPOINT`
 */
export async function startTelemetry(
  app: string,
  endpoint: string | undefined,
  metrics: Metrics,
  logger: Logger,
): Promise<Telemetry> {
  if (endpoint === undefined) return OFF;
  const [traceSdk, metricSdk, traceExporter, metricExporter, resources, producer] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/resources'),
    import('./metric-producer.js'),
  ]);
  const warn = (message: string): void => logger.warn({ message }, 'telemetry');
  const silent = (): void => {};
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);

  const resource = resources
    .resourceFromAttributes({ 'service.name': `citewell-${app}`, 'service.instance.id': String(process.pid) })
    .merge(resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] }));
  const traces = new traceSdk.NodeTracerProvider({
    resource,
    spanProcessors: [new traceSdk.BatchSpanProcessor(new traceExporter.OTLPTraceExporter())],
  });
  traces.register();

  const startTime = now();
  const reader = new metricSdk.PeriodicExportingMetricReader({
    exporter: new metricExporter.OTLPMetricExporter(),
    exportIntervalMillis: METRICS_INTERVAL_MS,
    metricProducers: [
      {
        collect: async () => ({
          resourceMetrics: {
            resource,
            scopeMetrics: [
              {
                scope: { name: 'citewell' },
                metrics: producer.toOtelMetrics(await metrics.read(), startTime, now()),
              },
            ],
          },
          errors: [],
        }),
      },
    ],
  });
  const meters = new metricSdk.MeterProvider({ resource, readers: [reader] });
  return {
    stop: async () => {
      await Promise.allSettled([traces.shutdown(), meters.shutdown()]);
    },
  };
}

function now(): HrTime {
  const milliseconds = Date.now();
  return [Math.floor(milliseconds / 1_000), (milliseconds % 1_000) * 1_000_000];
}
