import { AuditRepository, ConversationRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';

/** Conversations removed by one statement. */
const CONVERSATIONS = 200;
/** Events removed by one statement. */
const EVENTS = 5_000;
/** Batches per execution: the process may have to stop. */
const MAX_BATCHES = 50;

/** Removes conversations that are older than the retention of their agent, and audit events older than that of their organization. */
@Injectable()
export class RetentionTask implements MaintenanceTask {
  readonly intervalMs = 5 * 60_000;

  constructor(
    @Inject(ConversationRepository)
    private readonly conversations: Pick<ConversationRepository, 'removeExpired'>,
    @Inject(AuditRepository) private readonly events: Pick<AuditRepository, 'removeExpired'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  async run(): Promise<void> {
    const conversations = await removeAll(this.conversations, CONVERSATIONS);
    if (conversations > 0) this.logger.info({ conversations }, 'expired conversations were removed');
    const events = await removeAll(this.events, EVENTS);
    if (events > 0) this.logger.info({ events }, 'expired audit events were removed');
  }
}

interface Expiring {
  removeExpired(limit: number): Promise<number>;
}

/** @returns how many were removed */
async function removeAll(rows: Expiring, batchSize: number): Promise<number> {
  let all = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const removed = await rows.removeExpired(batchSize);
    all += removed;
    if (removed < batchSize) break;
  }
  return all;
}
