import {
  type CreateWebhook,
  replayedWebhookSchema,
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookPayloadSchema,
  webhookSchema,
  type WebhookWithSecret,
  webhookWithSecretSchema,
} from '@citewell/contracts/schemas';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { type Answer, status, WebhookReceiver } from '../fixtures/webhook-receiver.js';
import { query } from '../specification/leftovers.js';

const NETWORKS = {
  CITEWELL_SECRET: 'a-secret-of-the-operator',
  MODEL_NETWORKS: '127.0.0.0/8',
  ORGANIZATION_MODEL_NETWORKS: '127.0.0.0/8',
};
/** Receivers verify bytes, not characters. */
const CUSTOM_ID = 'Grüße/🌊';
const deliveriesSchema = z.array(webhookDeliverySchema.strict());

describeDeployment('webhooks', (start) => {
  let deployment: Deployment;
  let receiver: WebhookReceiver;
  let tenant: Tenant;
  let datastoreId: string;
  let paths = 0;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    deployment = await start({ ...NETWORKS, LIMIT_AGENT_QUERIES_PER_MONTH: '2' });
    tenant = await Tenant.create(deployment, 'A');
    datastoreId = (await tenant.datastore()).id;
  });
  afterAll(async () => {
    await deployment.stop();
    await receiver.close();
  });
  afterEach(() => {
    expect(receiver.refused).toEqual([]);
    receiver.messages.splice(0);
    receiver.answers.splice(0);
  });

  const create = async (fields: Partial<CreateWebhook> = {}, owner = tenant): Promise<WebhookWithSecret> => {
    paths += 1;
    const path = `/hook-${paths}`;
    const body = { url: receiver.urlOf(path), events: ['datasource.synched'], ...fields };
    const webhook = (await owner.api.post('/webhooks', body)).as(webhookWithSecretSchema.strict());
    receiver.secrets.set(path, webhook.secret);
    return webhook;
  };
  const get = async (id: string) => (await tenant.api.get(`/webhooks/${id}`)).as(webhookSchema.strict());
  const deliveries = async (id: string): Promise<WebhookDelivery[]> =>
    (await tenant.api.get(`/webhooks/${id}/deliveries`)).as(deliveriesSchema);
  const test = async (id: string): Promise<WebhookDelivery> =>
    (await tenant.api.post(`/webhooks/${id}/test`)).as(webhookDeliverySchema.strict());
  const remove = async (id: string): Promise<void> => (await tenant.api.delete(`/webhooks/${id}`)).assertOk();

  /** Waits until the only delivery of an endpoint is as expected. The delays of retries pass at once. */
  const untilDelivery = async (id: string, isExpected: (delivery: WebhookDelivery) => boolean) => {
    for (;;) {
      const [delivery] = await deliveries(id);
      if (delivery && isExpected(delivery)) return delivery;
      await query(
        deployment,
        'UPDATE webhook_deliveries SET due_at = now() WHERE webhook_id = $1 AND attempts < 9 AND due_at > now()',
        [id],
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const delivered = (id: string) => untilDelivery(id, ({ state }) => state === 'delivered');

  it('tell about documents and failures, signed, once for each change', async () => {
    const webhook = await create({
      events: ['datasource.synched', 'datasource.error', 'datasource.synched'],
    });
    expect(webhook).toMatchObject({
      events: ['datasource.synched', 'datasource.error'],
      enabled: true,
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { id: datasourceId } = await tenant.text(datastoreId, 'The secret of the sea.', {
      custom_id: CUSTOM_ID,
    });
    const { state, attempts, responseStatus, nextAttemptAt } = await delivered(webhook.id);
    expect([state, attempts, responseStatus, nextAttemptAt]).toEqual(['delivered', 1, 204, null]);
    const broken = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['file', new Blob(['%PDF-1.7 broken']), 'broken.pdf'],
    ]);
    broken.assertOk();
    await untilDelivery(
      webhook.id,
      ({ type, state }) => type === 'datasource.error' && state === 'delivered',
    );
    expect(receiver.messages.map(({ payload }) => webhookPayloadSchema.strict().parse(payload))).toEqual([
      {
        type: 'datasource.synched',
        timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
        data: {
          datasourceId,
          datastoreId,
          customId: CUSTOM_ID,
          type: 'text',
          status: 'synched',
          errorCode: null,
        },
      },
      {
        type: 'datasource.error',
        timestamp: expect.any(String),
        data: expect.objectContaining({ status: 'error', errorCode: 'CORRUPT_FILE' }),
      },
    ]);
    const metrics = await (await fetch(`${deployment.origin}/metrics`)).text();
    expect(metrics).toMatch(/citewell_webhook_attempts_total\{outcome="delivered",app="\w+"\} 2\n/);
    expect(receiver.messages[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.stringify(receiver.messages)).not.toMatch(/secret of the sea|broken\.pdf/);
    await remove(webhook.id);
  });

  it.each<[string, Answer[], attempts: number]>([
    ['errors', [status(500), status(503)], 3],
    ['a redirect', [status(302, { location: '/other' }), status(308, { location: '/other' })], 3],
    [
      'a huge answer, of which nothing is read',
      [
        (response) => {
          const write = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
          };
          response.writeHead(500).on('drain', write);
          write();
        },
      ],
      2,
    ],
    ['a connection that breaks', [(response) => response.destroy()], 2],
  ])('are sent again after %s, under the same id', async (_, answers, attempts) => {
    receiver.answers.push(...answers);
    const { id } = await create();
    const { id: messageId } = await test(id);
    expect(await delivered(id)).toMatchObject({ id: messageId, attempts, responseStatus: 204, error: null });
    expect(receiver.messages.map((message) => message.id)).toEqual(Array(attempts).fill(messageId));
    expect(new Set(receiver.messages.map(({ path }) => path)).size).toBe(1);
    expect(await get(id)).toMatchObject({ enabled: true, failingSince: null });
    await remove(id);
  });

  it('wait while an endpoint is down, and are sent when it is back', async () => {
    const { id } = await create();
    await receiver.whileDown(async () => {
      await tenant.text(datastoreId, 'While the endpoint is down.');
      const failed = await untilDelivery(id, ({ attempts }) => attempts >= 2);
      expect(failed).toMatchObject({
        state: 'pending',
        responseStatus: null,
        nextAttemptAt: expect.any(String),
      });
      expect((await get(id)).failingSince).not.toBeNull();
    });
    await delivered(id);
    expect(receiver.messages).toHaveLength(1);
    await remove(id);
  });

  it('of a slow endpoint do not keep those of others waiting', async () => {
    const slow = await create();
    receiver.answers.push(() => undefined);
    await test(slow.id);
    while (receiver.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const other = await create();
    await test(other.id);
    await delivered(other.id);
    expect(await deliveries(slow.id)).toMatchObject([{ state: 'pending', attempts: 1, error: null }]);
    const timedOut = await untilDelivery(slow.id, ({ error }) => error !== null);
    expect(timedOut.error).toBe('TIMEOUT');
    for (const { id } of [slow, other]) await remove(id);
  });

  it('end when the endpoint answers 410, until it is enabled', async () => {
    receiver.answers.push(status(410));
    const { id } = await create();
    const { id: messageId } = await test(id);
    await untilDelivery(id, ({ state }) => state === 'failed');
    expect(await get(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    await tenant.text(datastoreId, 'Nobody is told.');
    for (const path of ['test', `deliveries/${messageId}/replay`])
      (await tenant.api.post(`/webhooks/${id}/${path}`)).assertError('CONFLICT');
    (await tenant.api.patch(`/webhooks/${id}`, { enabled: true })).assertOk();
    const replayed = await tenant.api.post(`/webhooks/${id}/deliveries/${messageId}/replay`);
    expect(replayed.as(webhookDeliverySchema.strict())).toMatchObject({ state: 'pending', attempts: 0 });
    await delivered(id);
    expect(receiver.messages.map((message) => message.id)).toEqual([messageId, messageId]);
    await remove(id);
  });

  it('are replayed since an instant', async () => {
    const { id } = await create();
    receiver.answers.push(...Array.from({ length: 9 }, () => status(500)));
    await test(id);
    await untilDelivery(id, ({ state }) => state === 'failed');
    expect(receiver.messages).toHaveLength(9);
    const replay = async (since: string): Promise<number> =>
      (await tenant.api.post(`/webhooks/${id}/replay`, { since })).as(replayedWebhookSchema.strict())
        .replayed;
    expect(await replay('2099-01-01T00:00:00Z')).toBe(0);
    expect(await replay('2020-01-01T00:00:00+02:00')).toBe(1);
    expect(await delivered(id)).toMatchObject({ attempts: 1 });
    (await tenant.api.post(`/webhooks/${id}/replay`, { since: 'yesterday' })).assertError('INVALID_REQUEST');
    await remove(id);
  });

  it('are signed with both secrets after a rotation', async () => {
    const { id, url, secret } = await create();
    const rotated = (await tenant.api.post(`/webhooks/${id}/secret`)).as(webhookWithSecretSchema.strict());
    expect(rotated.secret).not.toBe(secret);
    const path = new URL(url).pathname;
    for (const known of [secret, rotated.secret]) {
      receiver.secrets.set(path, known);
      const { id: messageId } = await test(id);
      await untilDelivery(id, (one) => one.id === messageId && one.state === 'delivered');
    }
    expect(receiver.messages).toHaveLength(2);
    await remove(id);
  });

  it('tell that the agent queries of the month are used up', async () => {
    const first = new Tenant(new ApiClient(deployment.baseUrl, deployment.apiKey), '');
    const { id } = await create({ events: ['usage.limit_reached'] }, first);
    const agent = await first.agent({
      datastoreIds: [(await first.datastore()).id],
      restrictToSources: true,
    });
    for (let n = 0; n < 4; n += 1) await first.api.post(`/agents/${agent.id}/query`, { query: 'Hello?' });
    while (receiver.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(receiver.messages.map(({ payload }) => payload)).toMatchObject([
      { type: 'usage.limit_reached', data: { kind: 'agentQueries', limit: 2 } },
    ]);
    (await first.api.delete(`/webhooks/${id}`)).assertOk();
  });

  it('belong to their organization, and their secrets are shown to nobody', async () => {
    const { id, secret } = await create();
    const { id: messageId } = await test(id);
    await delivered(id);
    const other = await Tenant.create(deployment, 'B');
    for (const path of ['', '/deliveries'])
      (await other.api.get(`/webhooks/${id}${path}`)).assertError('NOT_FOUND');
    for (const path of ['test', 'secret', `deliveries/${messageId}/replay`])
      (await other.api.post(`/webhooks/${id}/${path}`)).assertError('NOT_FOUND');
    const seen = [await tenant.api.get('/webhooks'), await tenant.api.get(`/webhooks/${id}`)].map(
      ({ text }) => text,
    );
    const rows = await query(deployment, 'SELECT t::text AS row FROM webhooks t', []);
    const printed = Object.values(deployment.processes).map(({ output }) => output);
    expect(JSON.stringify([seen, rows, printed])).not.toContain(secret.slice(6));
    // The queue of the other organization.
    expect((await other.api.get('/webhooks')).as(z.array(webhookSchema.strict()))).toEqual([]);
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    (await admin.delete(`/organizations/${tenant.organizationId}`)).assertOk();
    const left = await query(deployment, 'SELECT sealed_secret FROM webhooks WHERE id = $1', [id]);
    expect(left.map(({ sealed_secret }) => sealed_secret).filter((sealed) => sealed !== '')).toEqual([]);
  });
});

describe('webhooks', () => {
  it('are sent by another process when one stops or is killed', async () => {
    const receiver = await WebhookReceiver.start();
    const deployment = await startScaled(NETWORKS);
    try {
      const { api } = await Tenant.create(deployment);
      const body = { url: receiver.urlOf('/'), events: ['datasource.synched'] };
      const { id, secret } = (await api.post('/webhooks', body)).as(webhookWithSecretSchema.strict());
      receiver.secrets.set('/', secret);
      const stored = async () => {
        const [row] = await query(deployment, 'SELECT * FROM webhook_deliveries WHERE webhook_id = $1', [id]);
        return row;
      };
      const received = async (count: number): Promise<void> => {
        while (receiver.messages.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      // Nobody answers the first two attempts.
      const noAnswer: Answer = () => undefined;
      receiver.answers.push(noAnswer, noAnswer);
      (await api.post(`/webhooks/${id}/test`)).assertOk();
      await received(1);
      expect(await deployment.processes['api']?.stop()).toBe(0);
      expect(await stored()).toMatchObject({ state: 'pending', attempts: 0, leased_until: null });
      const second = await deployment.startAnotherApi?.();
      await received(2);
      await second?.process.kill();
      expect(await stored()).toMatchObject({ state: 'pending', attempts: 1, leased_until: expect.any(Date) });
      await deployment.startAnotherApi?.();
      await query(deployment, 'UPDATE webhook_deliveries SET leased_until = now()', []);
      await received(3);
      expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(1);
      while ((await stored())?.['state'] !== 'delivered')
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await stored()).toMatchObject({ attempts: 2, response_status: 204 });
    } finally {
      await deployment.stop();
      await receiver.close();
    }
  });

  it('reach no private network at first, and no other service', async () => {
    const deployment = await startEmbedded();
    try {
      const { api } = await Tenant.create(deployment);
      const events = ['datasource.synched'];
      for (const url of [
        'http://127.0.0.1:8080/',
        'http://localhost:8080/',
        'http://169.254.169.254/latest',
        'http://[::ffff:10.0.0.1]/',
        'http://0x7f.1/',
        'https://user:password@93.184.216.34/',
        'https://93.184.216.34:6379/',
        'ftp://93.184.216.34/',
        'no address',
        '',
      ])
        for (const one of [api, new ApiClient(deployment.baseUrl, deployment.apiKey)])
          (await one.post('/webhooks', { url, events })).assertError('INVALID_REQUEST');
      const url = 'https://93.184.216.34/hook';
      const { id } = (await api.post('/webhooks', { url, events })).as(webhookWithSecretSchema.strict());
      const moved = await api.patch(`/webhooks/${id}`, { url: 'http://10.0.0.1/' });
      expect(moved.assertError('INVALID_REQUEST').message).toContain('ORGANIZATION_MODEL_NETWORKS');
      for (const body of [
        { url },
        { url, events: [] },
        { url, events: ['datasource.deleted'] },
        { url, events, x: 1 },
      ])
        (await api.post('/webhooks', body)).assertError('INVALID_REQUEST');
      // A name that leads to a private network later is refused when the message is sent.
      await query(deployment, `UPDATE webhooks SET url = 'http://localhost:8080/' WHERE id = $1`, [id]);
      (await api.post(`/webhooks/${id}/test`)).assertOk();
      for (;;) {
        const [delivery] = (await api.get(`/webhooks/${id}/deliveries`)).as(deliveriesSchema);
        if (delivery?.error)
          expect(delivery).toMatchObject({ error: 'ADDRESS_BLOCKED', responseStatus: null });
        if (delivery?.error) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (let n = 1; n < 20; n += 1) (await api.post('/webhooks', { url, events })).assertOk();
      (await api.post('/webhooks', { url, events })).assertError('CONFLICT');
    } finally {
      await deployment.stop();
    }
  });
});
