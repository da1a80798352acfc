import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** Gauges of prom-client whose names end in `_total`, which Prometheus reserves for counters. */
const MISNAMED_GAUGES = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** A metric with its values, as another process sends it. */
export type MetricObject = MetricObjectWithValues<MetricValue<string>>;

/**
 * The metrics of one process, in the Prometheus text format. `docs/operations.md` lists them.
 * Label values come from closed sets, never from users.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readChild: () => Promise<MetricObject[]> = async () => [];

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

  readonly rerankings = new Counter({
    name: 'citewell_rerankings_total',
    help: 'Searches whose passages were sent to the rerank model',
    labelNames: ['outcome'],
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

  readonly oldestWaitingRun = new Gauge({
    name: 'citewell_oldest_waiting_run_age_seconds',
    help: 'Time that the oldest waiting run of a stage could have been in progress',
    labelNames: ['stage'],
    registers: [this.registry],
  });

  readonly eventLoopBlocks = new Gauge({
    name: 'citewell_recent_event_loop_blocks',
    help: 'Processes that ended in the last day because their event loop was blocked',
    labelNames: ['process'],
    registers: [this.registry],
  });

  readonly crawledUrls = new Counter({
    name: 'citewell_crawled_urls_total',
    help: 'URLs of web sites that a crawl has fetched and recorded',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly modelCalls = new Histogram({
    name: 'citewell_model_call_duration_seconds',
    help: 'Duration of a request to a model provider, until the end of the response',
    labelNames: ['kind', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [this.registry],
  });

  readonly modelTokens = new Counter({
    name: 'citewell_model_tokens_total',
    help: 'Tokens that model providers have reported',
    labelNames: ['kind', 'direction'],
    registers: [this.registry],
  });

  readonly webhookAttempts = new Counter({
    name: 'citewell_webhook_attempts_total',
    help: 'Attempts to send a message to a webhook',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly auditFailures = new Counter({
    name: 'citewell_audit_failures_total',
    help: 'Audit events that could not be stored',
    registers: [this.registry],
  });

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED_GAUGES) this.registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** From now on, {@link render} has the metrics of a child process, too. Their label `app` differs. */
  addChild(read: () => Promise<MetricObject[]>): void {
    this.readChild = read;
  }

  /** The values of this process, for other formats. A child process sends its own to the collector. */
  read(): Promise<MetricObject[]> {
    return this.registry.getMetricsAsJSON();
  }

  async render(): Promise<string> {
    const ofChild = await this.readChild();
    if (ofChild.length === 0) return this.registry.metrics();
    return AggregatorRegistry.aggregate([await this.read(), ofChild]).metrics();
  }
}
