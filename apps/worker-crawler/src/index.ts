export { WorkerCrawlerModule } from './worker-crawler.module.js';
