export { JobProducer, QueueModule } from './queue.module.js';
export {
  JobAbortedError,
  JobProcessor,
  WORKER_OPTIONS,
  type JobContext,
  type JobHandlers,
} from './job-processor.js';
export { connectQueue, migrateQueue, QueueConnection, type QueueLocation } from './queue-connection.js';
