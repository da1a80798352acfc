import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isRepeatedAnswer } from '../../http/idempotency.service.js';
import type { AuditedRequest } from './audit-event.js';
import { asksWhatIsOffered, type AuditedRoute, auditedRoute } from './audit-actions.js';
import type { AuditTrail } from './audit-trail.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of the request, as its schema has read it. */
    input?: unknown;
    /** The body of the response, before it is serialized. */
    answer?: unknown;
    /** Stored values of what a change is about, before the change. */
    before?: Readonly<Record<string, unknown>> | null;
    /** What a tool has done, or was refused, in a request whose route does not tell. */
    audited?: { action: AuditedRoute['action']; answer: unknown; isRefused: boolean };
  }
}

const SIGN_IN = 'session.started';

/**
 * Installs the audit log on all routes. An event is written after the change and before the response, so a client that
 * has its response can rely on the event. The response to a frequent change, such as a document of many, does not wait.
 * A process writes its events in their order.
 */
export function installAudit(server: FastifyInstance, trail: AuditTrail): void {
  server.addHook('preHandler', async (request) => {
    const route = request.method === 'PATCH' ? auditedRoute('PATCH', request.routeOptions.url) : null;
    if (route && request.caller) request.before = await trail.before(asAudited(request), route);
  });

  server.addHook('preSerialization', (request, _reply, payload, done) => {
    request.answer = payload;
    done(null, payload);
  });

  server.addHook('onSend', (request, reply, payload, done) => {
    const { audited } = request;
    const finish = (): void => done(null, payload);
    const route = audited ?? auditedRoute(request.method, request.routeOptions.url);
    if (reply.statusCode === 403 || audited?.isRefused === true) {
      // Nobody waits: the time of a refusal must not tell whether an account exists.
      refuse(request, route, trail);
      finish();
    } else if (reply.statusCode < 400 && route !== null && isDone(request)) {
      const answer = audited ? audited.answer : request.answer;
      const written = trail.succeeded(asAudited(request), route, answer);
      if ('isFrequent' in route) finish();
      else void written.then(finish);
    } else finish();
  });
}

/** Whether somebody known has done it now, and not in an earlier request with the same `Idempotency-Key`. */
function isDone({ caller, routeOptions, answer }: FastifyRequest): boolean {
  return (
    (caller !== undefined || routeOptions.config.access?.kind === 'admin-key') && !isRepeatedAnswer(answer)
  );
}

/** Publishable keys are known to everybody, so their refusals say nothing about anybody. */
function refuse(request: FastifyRequest, route: AuditedRoute | null, trail: AuditTrail): void {
  const { caller, body, method, routeOptions } = request;
  if (caller?.publishable || (caller && asksWhatIsOffered(method, routeOptions.url, caller.scopes))) return;
  if (caller) void trail.refused(asAudited(request), route, caller);
  else if (route?.action === SIGN_IN) {
    const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null;
    if (typeof email === 'string') void trail.signInFailed(asAudited(request), email.trim().toLowerCase());
  }
}

function asAudited(request: FastifyRequest): AuditedRequest {
  const { method, routeOptions, params, body, input, ip, headers, caller, before = null } = request;
  return {
    method,
    pattern: routeOptions.url ?? '',
    parameters: (params ?? {}) as Record<string, unknown>,
    body,
    input,
    address: ip,
    userAgent: headers['user-agent'],
    before,
    caller: caller ?? null,
  };
}
