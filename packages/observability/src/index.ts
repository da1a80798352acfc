export {
  CRAWL_FAULT_POINTS,
  SOURCE_FAULT_POINTS,
  FAULT_POINTS,
  FaultPoints,
  type FaultPoint,
} from './fault-points.js';
export { type EventLoopBlock, type RecordBlock, watchEventLoop } from './watchdog/watch-event-loop.js';
export { checkReadiness, FullStorage, type Readiness, type ReadinessCheck } from './readiness.js';
export { createLogger, type Logger, withLogContext } from './logger.js';
export { recordCall, withRequestSpan, withRunSpan } from './telemetry/spans.js';
export { startTelemetry, type Telemetry } from './telemetry/telemetry.js';
export { type MetricObject, Metrics } from './metrics.js';
export { stopOnUncaughtErrors } from './stop-on-uncaught-errors.js';
