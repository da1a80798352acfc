import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NewAuditEvent, TenantScope } from '@citewell/database';
import type { AuditedRequest } from './audit-event.js';
import { AuditTrail } from './audit-trail.service.js';

const CALLER = {
  keyId: 'k',
  person: null,
  tenant: new TenantScope('o'),
  scopes: new Set<string>(),
  publishable: null,
};
const REQUEST: AuditedRequest = {
  method: 'POST',
  pattern: '/api/agents',
  parameters: {},
  body: { name: 'A' },
  input: { name: 'A' },
  address: '192.0.2.1',
  userAgent: undefined,
  caller: CALLER,
};
const ROUTE = { action: 'agent.created' } as const;

describe('AuditTrail', () => {
  let stored: [string, NewAuditEvent][];
  let failures: number;
  let logged: unknown[];
  let record: () => Promise<void>;
  let trail: AuditTrail;
  beforeEach(() => {
    [stored, failures, logged] = [[], 0, []];
    record = async () => {};
    const events = {
      record: async ({ organizationId }: TenantScope, event: NewAuditEvent) => {
        await record();
        stored.push([organizationId, event]);
      },
      accounts: async (email: string) =>
        email === 'both@example.com'
          ? ['o', 'p'].map((organizationId) => ({
              organizationId,
              personId: `of ${organizationId}`,
              name: 'Both',
            }))
          : [],
      storedValues: async () => null,
    };
    const logger = { error: (fields: unknown) => void logged.push(fields) } as never;
    const metrics = { auditFailures: { inc: () => void (failures += 1) } } as never;
    trail = new AuditTrail(events, logger, metrics);
  });

  it('logs and counts an event that cannot be stored, and does not fail', async () => {
    record = () => Promise.reject(new Error('disk full'));
    await trail.succeeded(REQUEST, ROUTE, { id: 'a' });
    expect(failures).toBe(1);
    expect(logged).toEqual([
      { err: expect.any(Error), event: expect.objectContaining({ action: 'agent.created' }) },
    ]);
  });

  it('tells every organization of an account about a failed sign-in, and nobody about an unknown e-mail', async () => {
    await trail.signInFailed({ ...REQUEST, caller: null }, 'both@example.com');
    await trail.signInFailed({ ...REQUEST, caller: null }, 'nobody@example.com');
    expect(stored.map(([id, { targetId, actorId }]) => [id, targetId, actorId])).toEqual([
      ['o', 'of o', null],
      ['p', 'of p', null],
    ]);
  });

  it('writes the operator’s events into the organization of the answer, and no other', async () => {
    const request = { ...REQUEST, caller: null };
    await trail.succeeded(request, { action: 'organization.created' }, { id: 'new', key: 'secret' });
    await trail.succeeded(request, { action: 'organization.created' }, null);
    await trail.succeeded(request, { action: 'library.changed' }, { id: 'x' });
    expect(stored.map(([id]) => id)).toEqual(['new']);
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('waits for events that are being written before the database closes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    record = () => promise;
    void trail.succeeded(REQUEST, ROUTE, { id: 'a' });
    const closed = trail.beforeApplicationShutdown();
    resolve();
    await closed;
    expect(stored).toHaveLength(1);
  });
});
