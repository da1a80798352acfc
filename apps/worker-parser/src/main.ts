import { runWorkerApp } from '@citewell/ingestion';
import { WorkerParserModule } from './worker-parser.module.js';

await runWorkerApp('worker-parser', ['parse'], WorkerParserModule);
