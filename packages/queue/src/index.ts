export { JobProducer } from './job-producer.js';
export {
  JobAbortedError,
  JobWorker,
  type JobContext,
  type JobHandlers,
  type JobWorkerOptions,
} from './job-worker.js';
export { connectQueue, migrateQueue, type QueueConnection, type QueueLocation } from './queue-connection.js';
