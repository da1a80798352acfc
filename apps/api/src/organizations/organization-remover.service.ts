import { OrganizationRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Wakeable } from '../dispatcher/wakeable.js';

/** Datastores of a deleted organization take at least a lease to be purged: there is no hurry. */
const INTERVAL_MS = 5_000;

/** Sees deleted organizations to their end: agents, conversations, keys, and the row that is left at last. */
@Injectable()
export class OrganizationRemover implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new Wakeable(
    INTERVAL_MS,
    () => this.remove(),
    (error) => this.logger.warn({ err: error }, 'removing deleted organizations failed, goes on'),
  );

  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  wake(): void {
    this.loop.wake();
  }

  private async remove(): Promise<void> {
    if (await this.organizations.removeDeleted()) this.loop.wake();
  }
}
