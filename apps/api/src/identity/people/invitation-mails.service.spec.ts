import { TenantScope } from '@citewell/database';
import { expect, it } from '@jest/globals';
import type { Mail } from '../mail/mailer.service.js';
import { InvitationMails } from './invitation-mails.service.js';

const TENANT = new TenantScope('o');

function mailsWith({ isConfigured = true, name = 'Pumps' } = {}) {
  const sent: Mail[] = [];
  const mailer = { isConfigured, send: (mail: Mail) => void sent.push(mail) };
  const organizations = { find: async () => ({ name }) };
  const config = { PUBLIC_URL: 'https://answers.example.com' };
  return { mails: new InvitationMails(mailer as never, organizations as never, config), sent };
}

it('an invitation names the organization, the address and the day, in one language', async () => {
  const { mails, sent } = mailsWith({ name: 'Pumps\r\nBcc: everybody@example.com' });
  const expiresAt = new Date('2026-03-09T23:30:00Z');
  await mails.send(TENANT, {
    email: 'a&b@example.com',
    token: 'cw_1',
    expiresAt,
    language: 'fr',
    inviter: null,
  });
  expect(sent[0]).toMatchObject({
    to: 'a&b@example.com',
    subject: 'Invitation à Pumps Bcc: everybody@example.com sur Citewell',
    text: expect.stringContaining(
      'https://answers.example.com/#invite=cw_1&email=a%26b%40example.com&organization=Pumps',
    ),
  });
  expect(sent[0]?.text).toContain('9 mars 2026');
});

it('an invitation of a person names this person', async () => {
  const { mails, sent } = mailsWith();
  const invitation = { email: 'a@example.com', token: 'cw_1', expiresAt: null, language: 'en' } as const;
  await mails.send(TENANT, { ...invitation, inviter: 'Grace\nHopper' });
  expect(sent[0]?.subject).toBe('Grace Hopper invites you to Pumps on Citewell');
});

it('an organization sends a hundred invitations an hour, if the server sends mails', () => {
  const { mails } = mailsWith();
  for (let n = 0; n < 100; n += 1) mails.take(TENANT);
  expect(() => mails.take(TENANT)).toThrow(expect.objectContaining({ code: 'RATE_LIMIT' }));
  mails.take(new TenantScope('another'));
  const without = mailsWith({ isConfigured: false }).mails;
  expect(() => without.take(TENANT)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
});
