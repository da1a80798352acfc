import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, MetricDescriptor } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Of `DataPointType` and `AggregationTemporality`, whose module is loaded only when telemetry is on. */
const HISTOGRAM = 0;
const GAUGE = 2;
const SUM = 3;
const CUMULATIVE = 1;

/** A value of prom-client; those of a histogram name their series. */
type Value = MetricValue<string> & { metricName?: string };

/**
 * Converts metrics of prom-client, as `Registry.getMetricsAsJSON` returns them, to those of OpenTelemetry.
 * Summaries are left out: the product has none.
 *
 * @param startTime since when the counters count
 */
export function toOtelMetrics(
  metrics: readonly MetricObjectWithValues<MetricValue<string>>[],
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  const times = { startTime, endTime };
  return metrics.flatMap(({ name, help, type, values }): MetricData[] => {
    const descriptor: MetricDescriptor = { name, description: help, unit: unitOf(name), valueType: 1 };
    const common = { descriptor, aggregationTemporality: CUMULATIVE } as const;
    // prom-client declares its types as an enum, whose values are these names.
    switch (String(type)) {
      case 'counter':
        return [{ ...common, dataPointType: SUM, isMonotonic: true, dataPoints: points(values, times) }];
      case 'gauge':
        return [{ ...common, dataPointType: GAUGE, dataPoints: points(values, times) }];
      case 'histogram':
        return [{ ...common, dataPointType: HISTOGRAM, dataPoints: histogramPoints(values, times) }];
      default:
        return [];
    }
  });
}

type Times = { startTime: HrTime; endTime: HrTime };

function points(values: readonly Value[], times: Times): DataPoint<number>[] {
  return values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
}

/** prom-client has a cumulative value for each bucket; OpenTelemetry has a count for each bucket alone. */
function histogramPoints(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...series].map(([labels, ofSeries]) => {
    const cumulative: number[] = [];
    const boundaries: number[] = [];
    let sum = 0;
    for (const { labels: own, value, metricName } of ofSeries) {
      if (metricName?.endsWith('_sum')) sum = value;
      const limit: unknown = Reflect.get(own, 'le');
      if (limit === undefined) continue;
      cumulative.push(value);
      if (typeof limit === 'number') boundaries.push(limit);
    }
    const counts = cumulative.map((count, index) => count - (cumulative[index - 1] ?? 0));
    return {
      ...times,
      attributes: JSON.parse(labels) as Record<string, string>,
      value: { buckets: { boundaries, counts }, sum, count: cumulative.at(-1) ?? 0 },
    };
  });
}

function unitOf(name: string): string {
  if (name.endsWith('_seconds') || name.endsWith('_seconds_total')) return 's';
  return name.endsWith('_bytes') ? 'By' : '1';
}
