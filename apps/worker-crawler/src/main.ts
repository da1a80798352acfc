import { runWorkerApp } from '@citewell/ingestion';
import { WorkerCrawlerModule } from './worker-crawler.module.js';

await runWorkerApp('worker-crawler', ['crawl'], WorkerCrawlerModule);
