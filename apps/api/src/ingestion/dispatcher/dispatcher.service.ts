import { DISPATCH_CHANNEL, listen, type Listener } from '@citewell/database';
import { DATABASE_URL, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { MAINTENANCE_TASKS, type MaintenanceTask } from '../../background/maintenance-task.js';
import { PollingLoop } from '../../background/polling-loop.js';
import { DueWork } from './due-work.service.js';

/**
 * Polling finds work whose time has come, and work whose NOTIFY was sent while the listener was disconnected.
 */
const DISPATCH_INTERVAL_MS = 500;
/** The pause after a search for work that found none. With a backlog, notifications arrive faster than slots become free. */
const PAUSE_WITHOUT_WORK_MS = 50;

/**
 * Dispatches due work whenever the database sends a notification, and executes each maintenance task at its
 * interval. Nothing else enqueues jobs. The design is in docs/adr/0002-queue-and-dispatcher.md.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly dispatchLoop: PollingLoop;
  private readonly loops: readonly PollingLoop[];
  private listener: Listener | undefined;

  constructor(
    @Inject(DueWork) dueWork: DueWork,
    @Inject(MAINTENANCE_TASKS) tasks: readonly MaintenanceTask[],
    @Inject(LOGGER) logger: Logger,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
  ) {
    const onError = (error: unknown): void =>
      logger.warn({ err: error }, 'dispatching failed and will be tried again');
    this.dispatchLoop = new PollingLoop(
      DISPATCH_INTERVAL_MS,
      () => dueWork.dispatch(),
      onError,
      PAUSE_WITHOUT_WORK_MS,
    );
    const executeTask = async (task: MaintenanceTask): Promise<void> => {
      await task.run();
      // Maintenance may have made runs pending.
      this.dispatchLoop.wake();
    };
    const taskLoops = tasks.map((task) => new PollingLoop(task.intervalMs, () => executeTask(task), onError));
    this.loops = [this.dispatchLoop, ...taskLoops];
  }

  onApplicationBootstrap(): void {
    const wake = (): void => this.dispatchLoop.wake();
    this.listener = listen(this.databaseUrl, DISPATCH_CHANNEL, { onNotify: wake, onConnect: wake });
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
