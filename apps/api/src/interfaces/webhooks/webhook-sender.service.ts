import { type ClaimedDelivery, WebhookDeliveryRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../background/polling-loop.js';
import { attemptOutcome } from './attempt-outcome.js';
import { WebhookClient } from './webhook-client.service.js';

const POLL_MS = 1_000;
/** The pause after a search that found nothing. Attempts that end meanwhile cause one more search. */
const PAUSE_MS = 100;
/** Attempts at once in a process. */
const MAX_ATTEMPTS = 32;
/** Of these, to failing endpoints: each may take as long as the time limit. */
const MAX_FAILING = 16;
/** Longer than the time limit of an attempt. */
const LEASE_SECONDS = 60;
/** At the end of the process, attempts in progress may end within this time. */
const DRAIN_MS = 3_000;

/**
 * Sends due deliveries. Their state is in the database only, so whatever ends the process, another one goes on. A message
 * whose response was not recorded is sent again, under the same id.
 */
@Injectable()
export class WebhookSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly shutdown = new AbortController();
  private readonly inProgress = new Map<ClaimedDelivery, Promise<void>>();

  constructor(
    @Inject(WebhookDeliveryRepository) private readonly deliveries: WebhookDeliveryRepository,
    @Inject(WebhookClient) private readonly client: WebhookClient,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'webhookAttempts'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.loop = new PollingLoop(
      POLL_MS,
      () => this.sendDue(),
      (error) => logger.warn({ err: error }, 'sending webhooks failed and will be tried again'),
      PAUSE_MS,
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    const abort = setTimeout(() => this.shutdown.abort(), DRAIN_MS);
    await Promise.all(this.inProgress.values());
    clearTimeout(abort);
  }

  /** There is a new delivery. */
  wake(): void {
    this.loop.wake();
  }

  /** Begins attempts of due deliveries. @returns whether there were any */
  private async sendDue(): Promise<boolean> {
    const attempts = [...this.inProgress.keys()];
    const total = MAX_ATTEMPTS - attempts.length;
    if (total === 0) return false;
    const failing = Math.max(0, MAX_FAILING - attempts.filter(({ isFailing }) => isFailing).length);
    const claimed = await this.deliveries.claim({ total, failing }, LEASE_SECONDS);
    for (const delivery of claimed) {
      const attempt = this.send(delivery).finally(() => {
        this.inProgress.delete(delivery);
        this.loop.wake();
      });
      this.inProgress.set(delivery, attempt);
    }
    return claimed.length > 0;
  }

  private async send(delivery: ClaimedDelivery): Promise<void> {
    const { id, webhookId, attempts } = delivery;
    try {
      const attempt = await this.client.send(delivery, this.shutdown.signal);
      if (attempt === null) return await this.deliveries.release(delivery);
      const outcome = attemptOutcome(attempt, attempts, Math.random());
      await this.deliveries.record(delivery, outcome);
      const { error, responseStatus, retryAfterSeconds } = outcome;
      const isRetried = retryAfterSeconds !== null;
      this.metrics.webhookAttempts.inc({
        outcome: error === null ? 'delivered' : isRetried ? 'retried' : 'failed',
      });
      if (error === null) return;
      const fields = { deliveryId: id, webhookId, attempts, error, responseStatus, retryAfterSeconds };
      this.logger.info(fields, 'a webhook was not delivered');
    } catch (error) {
      this.logger.warn(
        { err: error, deliveryId: id, webhookId },
        'a webhook was interrupted and will be sent again',
      );
    }
  }
}
