import { loadStandaloneConfig } from '@citewell/config';
import { runWorkerApp } from '@citewell/ingestion';
import { Metrics } from '@citewell/observability';
import { WorkerCrawlerModule } from '@citewell/worker-crawler';
import { endWithSupervisor } from './supervise-service.js';

endWithSupervisor();
const context = await runWorkerApp('worker-crawler', ['crawl'], WorkerCrawlerModule, loadStandaloneConfig());
const metrics = context.get(Metrics);
// The service asks for the metrics.
process.on('message', () => {
  void metrics.read().then((values) => process.send?.(values));
});
