import type { BlobStore } from '@citewell/blob-store';
import {
  BlobRepository,
  HostPaceRepository,
  IdempotencyRepository,
  SessionRepository,
  WebhookDeliveryRepository,
} from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';

/** Blobs deleted per execution. */
const BLOB_BATCH = 500;
/** Age in ms at which an unfinished write of the blob store counts as abandoned. */
const ABANDONED_WRITE_MS = 24 * 60 * 60_000;

/** Removes abandoned blobs, unfinished writes, expired idempotency keys, expired sessions and sign-ins, outdated host paces and old webhook deliveries. */
@Injectable()
export class GarbageCollectionTask implements MaintenanceTask {
  readonly intervalMs = 10 * 60_000;

  constructor(
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(IdempotencyRepository) private readonly idempotencyKeys: IdempotencyRepository,
    @Inject(HostPaceRepository) private readonly hostPaces: HostPaceRepository,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(WebhookDeliveryRepository) private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  async run(): Promise<void> {
    await this.deleteAbandonedBlobs();
    await this.blobStore.sweep(ABANDONED_WRITE_MS);
    await this.idempotencyKeys.collect();
    await this.hostPaces.collect();
    await this.sessions.collect();
    await this.deliveries.collect();
  }

  private async deleteAbandonedBlobs(): Promise<void> {
    const keys = (await this.blobRows.abandoned(BLOB_BATCH)).map((blob) => blob.key);
    if (keys.length === 0) return;
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}
