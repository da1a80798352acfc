import { AuditRepository, type NewAuditEvent, TenantScope } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { AuditedRoute } from './audit-actions.js';
import { type AuditedRequest, clientOf, eventOf, refusalOf, targetInPath } from './audit-event.js';

const HOUR_MS = 60 * 60_000;

/** Refusals of one caller that are written. */
const REFUSALS_PER_HOUR = 20;

/** More callers than this are forgotten, oldest first. */
const MAX_REFUSED_CALLERS = 10_000;

/** Writes the audit log. A request has succeeded or failed before its event is written, so no failure is thrown. */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown {
  private readonly refusals = new RefusalLimit();
  /** Events that are being written. */
  private readonly pending = new Set<Promise<void>>();

  constructor(
    @Inject(AuditRepository)
    private readonly events: Pick<AuditRepository, 'record' | 'accounts' | 'storedValues'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'auditFailures'>,
  ) {}

  /** The stored values of what a request is about. Null if they are unknown: then all sent fields count as changed. */
  async before(request: AuditedRequest, route: AuditedRoute): Promise<Record<string, unknown> | null> {
    const { kind, id } = targetInPath(request, route);
    if (request.caller === null || typeof id !== 'string') return null;
    return this.events.storedValues(request.caller.tenant, kind, id);
  }

  /** Writes the event of a successful request. @param answer the body of the response */
  async succeeded(request: AuditedRequest, route: AuditedRoute, answer: unknown): Promise<void> {
    const organizationId = request.caller?.tenant.organizationId ?? organizationOf(route.action, answer);
    if (organizationId !== null) await this.write(organizationId, eventOf(request, route, answer));
  }

  /** Writes that a caller lacked rights. */
  async refused(
    request: AuditedRequest,
    route: AuditedRoute | null,
    { tenant, keyId }: Caller,
  ): Promise<void> {
    const { organizationId } = tenant;
    const omitted = this.refusals.take(`${organizationId} ${keyId}`);
    if (omitted === null) return;
    await this.write(organizationId, withOmitted(refusalOf(request, route), omitted));
  }

  /** Writes that somebody failed to sign in to accounts. An e-mail that nobody has belongs to no organization. */
  async signInFailed(request: AuditedRequest, email: string): Promise<void> {
    try {
      for (const { organizationId, personId, name } of await this.events.accounts(email)) {
        const omitted = this.refusals.take(personId);
        if (omitted === null) continue;
        const event: NewAuditEvent = {
          ...clientOf(request),
          actorKind: 'person',
          actorId: null,
          action: 'session.started',
          targetKind: 'person',
          targetId: personId,
          targetName: name,
          outcome: 'refused',
          details: {},
        };
        await this.write(organizationId, withOmitted(event, omitted));
      }
    } catch (error) {
      this.fail(error, null);
    }
  }

  /** Writes an event. If this fails, the log of the process has the event. */
  async write(organizationId: string, event: NewAuditEvent): Promise<void> {
    const written = this.events
      .record(new TenantScope(organizationId), event)
      .catch((error: unknown) => this.fail(error, { organizationId, ...event }));
    this.pending.add(written);
    await written;
    this.pending.delete(written);
  }

  /** The database closes after this. */
  async beforeApplicationShutdown(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private fail(error: unknown, event: object | null): void {
    this.metrics.auditFailures.inc();
    this.logger.error({ err: error, event }, 'an audit event could not be stored');
  }
}

/** Limits how many refusals of one caller are written, so that nobody can fill the disk with them. */
export class RefusalLimit {
  private readonly keys = new Map<string, { since: number; written: number; omitted: number }>();

  /** @param now clock in ms */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns null: do not write; otherwise how many were not written since the last one */
  take(key: string): number | null {
    const now = this.now();
    let entry = this.keys.get(key);
    if (entry === undefined || now - entry.since >= HOUR_MS) {
      const omitted = entry?.omitted ?? 0;
      this.keys.delete(key);
      entry = { since: now, written: 1, omitted: 0 };
      this.keys.set(key, entry);
      const oldest = this.keys.keys().next().value;
      if (this.keys.size > MAX_REFUSED_CALLERS && oldest !== undefined) this.keys.delete(oldest);
      return omitted;
    }
    if (entry.written >= REFUSALS_PER_HOUR) {
      entry.omitted += 1;
      return null;
    }
    entry.written += 1;
    return 0;
  }
}

/** The operator's requests are about an organization. */
function organizationOf(action: string, answer: unknown): string | null {
  if (!action.startsWith('organization.') || typeof answer !== 'object' || answer === null) return null;
  return 'id' in answer && typeof answer.id === 'string' ? answer.id : null;
}

function withOmitted(event: NewAuditEvent, omitted: number): NewAuditEvent {
  return omitted === 0 ? event : { ...event, details: { ...event.details, omitted } };
}
