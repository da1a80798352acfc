export { CRAWL_FAULT_POINTS, FAULT_POINTS, FaultPoints, type FaultPoint } from './fault-points.js';
export { FullStorage } from './full-storage.js';
export { createLogger, type Logger, withLogContext } from './logger.js';
export { recordCall, withRequestSpan, withRunSpan } from './telemetry/spans.js';
export { startTelemetry, type Telemetry } from './telemetry/telemetry.js';
export { Metrics } from './metrics.js';
export { stopOnUncaughtErrors } from './stop-on-uncaught-errors.js';
export { checkReadiness, type Readiness, type ReadinessCheck } from './readiness.js';
