import { Readable } from 'node:stream';
import type { AuditEvent, AuditFilter } from '@citewell/contracts/schemas';
import { type AuditEventEntity, AuditRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';

/** Events per query: memory stays constant, however many there are. */
const BATCH_SIZE = 500;

/** Exports the audit log for other programs. */
@Injectable()
export class AuditExportService {
  constructor(@Inject(AuditRepository) private readonly events: Pick<AuditRepository, 'list'>) {}

  /** JSON lines, newest event first. A line break inside a value is escaped, so a line is an event. */
  export(tenant: TenantScope, filter: AuditFilter): Readable {
    return Readable.from(this.lines(tenant, filter), { objectMode: false });
  }

  private async *lines(tenant: TenantScope, filter: AuditFilter): AsyncGenerator<string> {
    let cursor: string | undefined;
    for (;;) {
      const batch = await this.events.list(tenant, { limit: BATCH_SIZE, cursor }, filter);
      if (batch.length > 0) yield batch.map((event) => `${JSON.stringify(toAuditEvent(event))}\n`).join('');
      if (batch.length < BATCH_SIZE) return;
      cursor = batch.at(-1)?.id;
    }
  }
}

/** An event as the API returns it. */
export function toAuditEvent(event: AuditEventEntity): AuditEvent {
  const { id, at, actorKind, actorId, actorName, action, targetKind, targetId, targetName } = event;
  const { address, userAgent, outcome, details } = event;
  return {
    id,
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId, name: actorName },
    action,
    target: targetKind === null ? null : { kind: targetKind, id: targetId, name: targetName },
    address,
    userAgent,
    outcome,
    details,
  };
}
