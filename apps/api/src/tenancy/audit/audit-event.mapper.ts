import type { AuditEvent } from '@citewell/contracts/schemas';
import type { AuditEventEntity } from '@citewell/database';

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
