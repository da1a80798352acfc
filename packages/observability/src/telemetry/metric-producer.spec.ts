import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../metrics.js';
import { toOtelMetrics } from './metric-producer.js';

describe('toOtelMetrics', () => {
  it('converts counters, gauges and histograms, with their labels', async () => {
    const metrics = new Metrics('api');
    metrics.answers.inc({ outcome: 'done' }, 3);
    metrics.unfinishedRuns.set({ stage: 'parse', state: 'pending' }, 7);
    for (const seconds of [0.02, 0.02, 3, 4_000])
      metrics.stages.observe({ stage: 'parse', outcome: 'done' }, seconds);
    metrics.stages.observe({ stage: 'index', outcome: 'done' }, 0.2);

    const converted = toOtelMetrics(await metrics.read(), [1, 0], [2, 0]);
    const find = (name: string) => converted.find(({ descriptor }) => descriptor.name === name);
    expect(find('citewell_answers_total')).toMatchObject({
      isMonotonic: true,
      dataPoints: [
        { attributes: { outcome: 'done', app: 'api' }, value: 3, startTime: [1, 0], endTime: [2, 0] },
      ],
    });
    expect(find('citewell_runs')?.dataPoints).toMatchObject([
      { attributes: { stage: 'parse', state: 'pending' }, value: 7 },
    ]);
    expect(find('citewell_stage_duration_seconds')).toMatchObject({
      descriptor: { unit: 's' },
      dataPoints: [
        {
          attributes: { stage: 'parse' },
          value: {
            count: 4,
            sum: 4_003.04,
            // 0.02 twice below 0.05, 3 below 5, and 4,000 above all.
            buckets: {
              boundaries: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
              counts: [0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            },
          },
        },
        { attributes: { stage: 'index' }, value: { count: 1, sum: 0.2 } },
      ],
    });
  });
});
