import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of one process, in the Prometheus text format.
 * Label values come from closed sets, never from users.
 */
export class Metrics {
  private readonly registry = new Registry();

  readonly httpRequests = new Histogram({
    name: 'citewell_http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  });

  readonly stages = new Histogram({
    name: 'citewell_stage_duration_seconds',
    help: 'Duration of a stage of a run in its worker',
    labelNames: ['stage', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
    registers: [this.registry],
  });

  readonly searches = new Histogram({
    name: 'citewell_search_duration_seconds',
    help: 'Duration of one retrieval, including the visibility check',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers: [this.registry],
  });

  readonly answers = new Counter({
    name: 'citewell_answers_total',
    help: 'Answers to agent queries',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly unfinishedRuns = new Gauge({
    name: 'citewell_runs',
    help: 'Runs that are waiting or in progress',
    labelNames: ['stage', 'state'],
    registers: [this.registry],
  });

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  render(): Promise<string> {
    return this.registry.metrics();
  }
}
