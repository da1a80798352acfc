export { WorkerIndexerModule } from './worker-indexer.module.js';
