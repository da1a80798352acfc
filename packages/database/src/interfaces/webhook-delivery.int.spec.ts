import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { done, refuse } from '../connection/result.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  WebhookDeliveryRepository,
} from './webhook-delivery.repository.js';
import { WebhookRepository } from './webhook.repository.js';

const LIMITS = { total: 100, failing: 100 };
const DELIVERED: AttemptOutcome = {
  responseStatus: 204,
  error: null,
  retryAfterSeconds: null,
  isGone: false,
};
const REFUSED: AttemptOutcome = {
  responseStatus: 500,
  error: 'HTTP_STATUS',
  retryAfterSeconds: 60,
  isGone: false,
};
const GIVEN_UP: AttemptOutcome = { ...REFUSED, retryAfterSeconds: null };

describe('WebhookDeliveryRepository', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  let deliveries: WebhookDeliveryRepository;
  beforeAll(async () => {
    dataSource = await server.database();
    deliveries = new WebhookDeliveryRepository(dataSource);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await dataSource.query('DELETE FROM webhooks');
    tenant = await TestTenant.create(dataSource);
  });

  /** An endpoint with so many due messages. */
  async function endpoint(messages: number): Promise<string> {
    const id = newId();
    const webhook = { id, url: `https://example.com/${id}`, events: [], sealedSecret: 'sealed' };
    await new WebhookRepository(dataSource).create(tenant.scope, webhook, 100);
    for (let n = 0; n < messages; n += 1) await deliveries.add(tenant.scope, id, { type: 't', data: { n } });
    return id;
  }
  const claim = (limits = LIMITS): Promise<ClaimedDelivery[]> => deliveries.claim(limits, 60);
  const sqlOn = (statement: string, ...values: unknown[]): Promise<unknown> =>
    dataSource.query(statement, values);
  const expireLeases = (): Promise<unknown> =>
    sqlOn(`UPDATE webhook_deliveries SET leased_until = now() WHERE leased_until IS NOT NULL`);
  const makeDue = (): Promise<unknown> => sqlOn(`UPDATE webhook_deliveries SET due_at = now()`);
  const setFailing = (id: string, since = '1 minute'): Promise<unknown> =>
    sqlOn(`UPDATE webhooks SET failing_since = now() - $2::interval WHERE id = $1`, id, since);
  const stateOf = async (id: string) =>
    (await new WebhookRepository(dataSource).find(tenant.scope, id)) ?? {};
  const ofEndpoint = (claimed: readonly ClaimedDelivery[], id: string): number =>
    claimed.filter(({ webhookId }) => webhookId === id).length;

  it('gives each message to one of several senders that ask at once', async () => {
    for (let n = 0; n < 10; n += 1) await endpoint(4);
    const claimed = (
      await Promise.all(Array.from({ length: 8 }, () => claim({ total: 10, failing: 10 })))
    ).flat();
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
    const rest = await claim();
    expect(claimed.length + rest.length).toBe(40);
    expect(await claim()).toEqual([]);
  });

  it('gives a message of a sender that was killed to another, and ignores the late result of the first', async () => {
    const id = await endpoint(1);
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await expireLeases();
    const [second] = await claim();
    expect(second).toEqual({ ...first, attempts: 2 });
    if (!first || !second) throw new Error('nothing was claimed');
    await deliveries.record(first, GIVEN_UP);
    expect(await deliveries.find(tenant.scope, id, first.id)).toMatchObject({ state: 'pending' });
    await deliveries.record(second, DELIVERED);
    const delivered = { state: 'delivered', attempts: 2, responseStatus: 204, error: null };
    expect(await deliveries.find(tenant.scope, id, first.id)).toMatchObject(delivered);
    await makeDue();
    expect(await claim()).toEqual([]);
  });

  it('does not count an attempt of a sender that stops', async () => {
    await endpoint(1);
    const [first] = await claim();
    if (!first) throw new Error('nothing was claimed');
    await deliveries.release(first);
    expect(await claim()).toEqual([first]);
  });

  it('serves many endpoints fairly, whatever the backlog of one', async () => {
    const large = await endpoint(30);
    const small = await Promise.all([endpoint(1), endpoint(1), endpoint(1)]);
    const claimed = await claim({ total: 5, failing: 5 });
    expect([...small, large].map((id) => ofEndpoint(claimed, id))).toEqual([1, 1, 1, 2]);
    // Four at once to one endpoint.
    expect(ofEndpoint([...claimed, ...(await claim())], large)).toBe(4);
    expect(await claim()).toEqual([]);
  });

  it('tries failing endpoints one message at a time, after those that work, and not with every slot', async () => {
    const failing = await Promise.all([endpoint(10), endpoint(10), endpoint(10)]);
    for (const id of failing) await setFailing(id);
    const working = await endpoint(2);
    expect((await claim({ total: 2, failing: 2 })).map(({ webhookId }) => webhookId)).toEqual([
      working,
      working,
    ]);
    const claimed = await claim({ total: 10, failing: 2 });
    expect(claimed.map(({ isFailing }) => isFailing)).toEqual([true, true]);
    expect(new Set(claimed.map(({ webhookId }) => webhookId)).size).toBe(2);
    expect(await claim({ total: 10, failing: 0 })).toEqual([]);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  it('remembers since when an endpoint fails, until something is delivered', async () => {
    const id = await endpoint(2);
    const [first, second] = await claim();
    if (!first || !second) throw new Error('nothing was claimed');
    await deliveries.record(first, REFUSED);
    expect(await stateOf(id)).toMatchObject({ failingSince: expect.any(Date), disabledReason: null });
    const waiting = await deliveries.find(tenant.scope, id, first.id);
    expect(waiting).toMatchObject({ state: 'pending', responseStatus: 500, error: 'HTTP_STATUS' });
    expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await deliveries.record(second, DELIVERED);
    expect(await stateOf(id)).toMatchObject({ failingSince: null });
  });

  it.each<[string, string, AttemptOutcome, string | null]>([
    ['410', '1 minute', { ...GIVEN_UP, responseStatus: 410, isGone: true }, 'gone'],
    ['a failed delivery, and failures for five days', '5 days 1 minute', GIVEN_UP, 'failing'],
    // Long after the failures that are remembered, the first attempt of a message fails.
    ['an attempt that is followed by others', '9 days', REFUSED, null],
    ['failures for four days', '4 days', GIVEN_UP, null],
    ['a delivery after five days', '6 days', DELIVERED, null],
  ])('after %s', async (_, since, outcome, disabledReason) => {
    const id = await endpoint(2);
    await setFailing(id, since);
    const [first] = await claim();
    if (!first) throw new Error('nothing was claimed');
    await deliveries.record(first, outcome);
    expect(await stateOf(id)).toMatchObject({ disabledReason });
    await makeDue();
    expect((await claim()).length > 0).toBe(disabledReason === null);
    // What waits is sent when the endpoint is enabled.
    await new WebhookRepository(dataSource).update(tenant.scope, id, { enabled: true });
    await expireLeases();
    expect((await claim()).length).toBeGreaterThan(0);
  });

  it('sends messages again, under their ids, unless an attempt is in progress', async () => {
    const id = await endpoint(3);
    const [first, second, third] = await claim();
    if (!first || !second || !third) throw new Error('nothing was claimed');
    expect(await deliveries.replay(tenant.scope, id, first.id)).toEqual(refuse('in-progress'));
    await deliveries.record(first, GIVEN_UP);
    await deliveries.record(second, DELIVERED);
    await deliveries.record(third, GIVEN_UP);
    const future = new Date(Date.now() + 60_000);
    expect(await deliveries.replayFailed(tenant.scope, id, future)).toBe(0);
    expect(await deliveries.replayFailed(tenant.scope, id, new Date(0))).toBe(2);
    expect(await deliveries.replay(tenant.scope, id, second.id)).toEqual(done());
    const again: ClaimedDelivery[] = [];
    // The endpoint has failed, so there is one attempt at a time.
    for (let n = 0; n < 3; n += 1) {
      const [claimed] = await claim();
      if (!claimed) throw new Error('nothing was claimed');
      again.push(claimed);
      await deliveries.record(claimed, REFUSED);
    }
    expect(again.map((one) => [one.id, one.attempts]).toSorted()).toEqual(
      [first, second, third].map((one) => [one.id, 1]).toSorted(),
    );
  });

  it('lists the newest first, and keeps them for 30 days', async () => {
    const id = await endpoint(3);
    const ofDays = (days: number): string =>
      `${(Date.now() - days * 86_400_000)
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    for (const days of [29, 31])
      await sqlOn(
        `INSERT INTO webhook_deliveries (id, organization_id, webhook_id, type, data) VALUES ($1, $2, $3, 't', '{}')`,
        ofDays(days),
        tenant.organizationId,
        id,
      );
    await deliveries.collect();
    const all = await deliveries.list(tenant.scope, id, { limit: 10 });
    expect(all.map(({ data }) => data['n'])).toEqual([2, 1, 0, undefined]);
    const [, second] = all;
    const page = await deliveries.list(tenant.scope, id, { limit: 1, cursor: second?.id }, 'pending');
    expect(page.map(({ data }) => data['n'])).toEqual([0]);
    expect(await deliveries.list(tenant.scope, id, { limit: 10 }, 'failed')).toEqual([]);
  });
});
