import { runWorkerApp } from '@citewell/ingestion';
import { WorkerIndexerModule } from './worker-indexer.module.js';

await runWorkerApp('worker-indexer', ['index', 'embed'], WorkerIndexerModule);
