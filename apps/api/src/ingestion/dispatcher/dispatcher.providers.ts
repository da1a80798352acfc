import type { Provider } from '@nestjs/common';
import { RunMetricsTask } from './run-metrics.task.js';
import { Dispatcher } from './dispatcher.service.js';
import { DueWork } from './due-work.service.js';
import { GarbageCollectionTask } from './garbage-collection.task.js';
import { IndexRecovery } from '../../answering/search/index-recovery.service.js';
import { LostRunsTask } from './lost-runs.task.js';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../../background/maintenance-task.js';
import { PurgeDelivery } from './purge-delivery.service.js';
import { ReindexTask } from './reindex.task.js';
import { RetentionTask } from './retention.task.js';
import { RunDelivery } from './run-delivery.service.js';
import { ScheduledSyncs } from './scheduled-syncs.service.js';

const TASKS = [LostRunsTask, ReindexTask, RetentionTask, RunMetricsTask, GarbageCollectionTask];
/** Tasks that other services use, too. */
const SHARED_TASKS = [IndexRecovery];

/** The dispatcher and everything it runs. */
export const DISPATCHER_PROVIDERS: readonly Provider[] = [
  Dispatcher,
  DueWork,
  PurgeDelivery,
  RunDelivery,
  ScheduledSyncs,
  ...TASKS,
  {
    provide: MAINTENANCE_TASKS,
    useFactory: (...tasks: MaintenanceTask[]) => tasks,
    inject: [...TASKS, ...SHARED_TASKS],
  },
];
