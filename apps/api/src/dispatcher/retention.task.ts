import { ConversationRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from './maintenance-task.js';

/** Conversations removed by one statement. */
const BATCH = 200;
/** Batches per execution: the process may have to stop. */
const MAX_BATCHES = 50;

/** Removes conversations that are older than the retention of their agent. */
@Injectable()
export class RetentionTask implements MaintenanceTask {
  readonly intervalMs = 5 * 60_000;

  constructor(
    @Inject(ConversationRepository)
    private readonly conversations: Pick<ConversationRepository, 'removeExpired'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  async run(): Promise<void> {
    let conversations = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const removed = await this.conversations.removeExpired(BATCH);
      conversations += removed;
      if (removed < BATCH) break;
    }
    if (conversations > 0) this.logger.info({ conversations }, 'expired conversations were removed');
  }
}
