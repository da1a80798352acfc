import { describe, expect, it } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { signedMessage } from './webhook-client.service.js';

const [secret, earlier, foreign] = ['a', 'b', 'c'].map(
  (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
) as [string, string, string];
const delivery = {
  id: '0199c7b1-77aa-7c0e-8f21-0c9d4b7e6a12',
  type: 'datasource.synched',
  data: { datasourceId: 'd', customId: 'Grüße 🌊 "\\/' },
  createdAt: new Date('2026-03-02T08:20:00Z'),
};

describe('signedMessage', () => {
  it('is accepted by a receiver with any of the secrets, and by no other', () => {
    const { body, headers } = signedMessage(delivery, [secret, earlier], new Date());
    for (const known of [secret, earlier])
      expect(new Webhook(known).verify(body, { ...headers })).toEqual({
        type: delivery.type,
        timestamp: '2026-03-02T08:20:00.000Z',
        data: delivery.data,
      });
    expect(() => new Webhook(foreign).verify(body, { ...headers })).toThrow(WebhookVerificationError);
    expect(() => new Webhook(secret).verify(body.replace('synched', 'error'), { ...headers })).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow();
  });

  it('has the same body and id at each attempt, and the time of the attempt', () => {
    const [first, later] = [0, 3_600_000].map((ms) => signedMessage(delivery, [secret], new Date(ms)));
    expect(first?.body).toBe(later?.body);
    expect(first?.headers['webhook-id']).toBe(delivery.id);
    expect([first, later].map((message) => message?.headers['webhook-timestamp'])).toEqual(['0', '3600']);
  });
});
