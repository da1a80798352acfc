import { ErasureRepository, OrganizationRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../background/polling-loop.js';

/**
 * Purging the datastores of a deleted organization takes longer than a lease, so polling more often gains
 * nothing.
 */
const INTERVAL_MS = 5_000;

/**
 * Removes deleted organizations: agents, conversations, keys and, once its datastores are purged, the row
 * itself.
 */
@Injectable()
export class OrganizationRemover implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new PollingLoop(
    INTERVAL_MS,
    () => this.remove(),
    (error) =>
      this.logger.warn({ err: error }, 'removing deleted organizations failed and will be tried again'),
  );

  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(ErasureRepository) private readonly erasures: ErasureRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Starts removing at once instead of at the next interval. */
  wake(): void {
    this.loop.wake();
  }

  private async remove(): Promise<void> {
    // Rows are removed in batches; true means that another batch is ready now.
    if (await this.organizations.removeDeleted()) this.loop.wake();
    else await this.erasures.recordCompleted();
  }
}
