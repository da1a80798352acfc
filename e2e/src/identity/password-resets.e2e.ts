import {
  personWithTokenSchema,
  profileSchema,
  sessionSchema,
  signInOptionsSchema,
} from '@citewell/contracts/schemas';
import { freePort } from '@citewell/testing';
import { MailServer } from '@citewell/testing/mail-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { linkIn } from './link-in-mail.js';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'staple 電池 correct';
const EMAIL = 'grace@example.com';

describe('a link to reset a password', () => {
  let mailServer: MailServer;
  let publicUrl: string;
  let deployment: Deployment;
  let tenants: Tenant[];
  beforeAll(async () => {
    mailServer = await MailServer.start();
    const port = await freePort();
    publicUrl = `http://localhost:${port}`;
    deployment = await startEmbedded({
      PORT: String(port),
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Citewell <citewell@example.com>',
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    tenants = [await Tenant.create(deployment, 'A'), await Tenant.create(deployment, 'B')];
    for (const tenant of tenants) {
      const invited = await tenant.api.post('/people', { email: EMAIL, role: 'owner' });
      const { token } = invited.as(personWithTokenSchema.strict());
      (await browser().call('POST', '/session', { token, password: PASSWORD })).assertOk();
    }
  });
  afterAll(async () => {
    await deployment.stop();
    await mailServer.stop();
  });

  /** A browser that opens the server under its public name. */
  const browser = () => new BrowserSession(deployment.baseUrl);
  const signIn = (password: string, own = browser()) =>
    own.call('POST', '/session', { email: EMAIL, password });

  async function requestLink(email = EMAIL, headers: Record<string, string> = {}): Promise<string> {
    const response = await new ApiClient(deployment.baseUrl, null).call('POST', '/password-resets', {
      json: { email },
      headers: { 'x-forwarded-for': browser().address, ...headers },
    });
    response.assertOk();
    return response.text;
  }

  async function nextToken(): Promise<string> {
    await until(async () => mailServer.mails.length > 0, 'a mail');
    const link = linkIn(mailServer.mails.shift()?.source ?? '');
    expect(link.startsWith(`${publicUrl}/#reset=`)).toBe(true);
    return link.slice(`${publicUrl}/#reset=`.length);
  }

  it('is sent to an account, and sets its password in all organizations, once', async () => {
    const options = await new ApiClient(deployment.baseUrl, null).get('/sign-in-options');
    expect(options.as(signInOptionsSchema.strict())).toMatchObject({ passwordReset: true });
    const before = browser();
    (await signIn(PASSWORD, before)).assertOk();
    const answers = [
      await requestLink('nobody@example.com'),
      await requestLink(EMAIL.toUpperCase(), { host: 'evil.example', 'x-forwarded-host': 'evil.example' }),
    ];
    expect(new Set(answers).size).toBe(1);
    const token = await nextToken();
    const own = browser();
    (await own.call('POST', '/session', { reset: token, password: 'short' })).assertError(
      'INVALID_REQUEST',
      'password',
    );
    const session = (await own.call('POST', '/session', { reset: token, password: OTHER_PASSWORD })).as(
      sessionSchema.strict(),
    );
    expect(session.organizations.map(({ name }) => name).toSorted()).toEqual(['A', 'B']);
    (await own.call('POST', '/session', { reset: token, password: PASSWORD })).assertError('UNAUTHORIZED');
    await until(
      async () => (await before.call('GET', '/session')).status === 403,
      'the session of before to end',
      5_000,
    );
    (await signIn(PASSWORD)).assertError('UNAUTHORIZED');
    (await signIn(OTHER_PASSWORD)).assertOk();
    expect(mailServer.mails).toEqual([]);
  });

  it('is no invitation, and an invitation no such link', async () => {
    await requestLink();
    const token = await nextToken();
    (await browser().call('POST', '/session', { token, password: OTHER_PASSWORD })).assertError(
      'UNAUTHORIZED',
    );
    const { token: invitation } = await tenants[0]!.invite('member');
    (await browser().call('POST', '/session', { reset: invitation, password: PASSWORD })).assertError(
      'UNAUTHORIZED',
    );
    for (const json of [
      { reset: token },
      { reset: token, password: PASSWORD, name: 'N' },
      { reset: token, token },
    ])
      (await browser().call('POST', '/session', json)).assertError('INVALID_REQUEST');
  });

  it('is answered in the same way while the mail server refuses, and is sent later', async () => {
    const answer = await requestLink('nobody@example.com');
    mailServer.refusals.push(550);
    const attempts = mailServer.attempts;
    expect(await requestLink()).toBe(answer);
    await until(async () => mailServer.attempts > attempts, 'an attempt');
    const output = (): string => deployment.processes['standalone']?.output ?? '';
    await until(async () => output().includes('a mail was not sent'), 'the line in the log');
    expect(output()).not.toContain('#reset=');
    expect(output()).not.toContain(EMAIL);
  });

  it('is not that of an invitation, which is sent on demand, in the language of the page', async () => {
    const email = "o'hara,x@example.com";
    const json = { email, role: 'member', sendMail: true, language: 'de' };
    const invited = await tenants[0]!.api.post('/people', json);
    const { token } = invited.as(personWithTokenSchema.strict());
    await until(async () => mailServer.mails.length > 0, 'a mail');
    const [mail] = mailServer.mails.splice(0);
    // One mailbox, whose name has to be quoted.
    expect(mail?.recipients).toEqual([`"o'hara,x"@example.com`]);
    expect(mail?.source).toContain('Subject: Einladung zu A auf Citewell\r\n');
    const link = linkIn(mail?.source ?? '');
    expect(link).toBe(
      `${publicUrl}/#invite=${token}&${new URLSearchParams({ email, organization: 'A' }).toString()}`,
    );
    (await tenants[0]!.api.post('/people', json)).assertError('CONFLICT');
    expect(mailServer.mails).toEqual([]);
  });

  it('is not that of a new e-mail, which changes when the link is opened, whoever has it', async () => {
    const join = async (tenant: Tenant, email: string) => {
      const { token } = (await tenant.api.post('/people', { email, role: 'member' })).as(
        personWithTokenSchema.strict(),
      );
      const own = browser();
      (await own.call('POST', '/session', { token, password: PASSWORD })).assertOk();
      return own;
    };
    const [own, other] = [
      await join(tenants[0]!, 'ada@example.com'),
      await join(tenants[1]!, 'taken@example.com'),
    ];
    const change = (json: object, by = own) => by.call('PATCH', '/profile', json);
    const propose = async (email: string, by = own) => {
      const answer = await change({ email, currentPassword: PASSWORD }, by);
      expect(answer.as(profileSchema.strict())).toMatchObject({ emailToConfirm: email });
      await until(async () => mailServer.mails.length > 0, 'a mail');
      const [mail] = mailServer.mails.splice(0);
      expect(mail?.recipients).toEqual([email]);
      const link = linkIn(mail?.source ?? '');
      expect(link.startsWith(`${publicUrl}/#email=`)).toBe(true);
      return { answer: answer.text.replaceAll(email, ''), token: link.slice(`${publicUrl}/#email=`.length) };
    };
    const [taken, free] = [await propose('taken@example.com'), await propose('ada.l@example.com')];
    expect(taken.answer).toBe(free.answer);
    expect((await own.call('GET', '/session')).as(sessionSchema).person?.email).toBe('ada@example.com');
    // The second link has replaced the first one, and nobody else can open it.
    for (const [token, by] of [
      [taken.token, own],
      [free.token, other],
      ['x', own],
    ] as const)
      (await change({ emailToken: token }, by)).assertError('INVALID_REQUEST', 'emailToken');
    expect((await change({ emailToken: free.token })).as(profileSchema.strict()).email).toBe(
      'ada.l@example.com',
    );
    (await change({ emailToken: free.token })).assertError('INVALID_REQUEST', 'emailToken');
    const credentials = { email: 'ada.l@example.com', password: PASSWORD };
    (await browser().call('POST', '/session', credentials)).assertOk();
    // Only who reads the mail learns that somebody has the e-mail.
    const again = await propose('taken@example.com');
    (await change({ emailToken: again.token })).assertError('CONFLICT');
    for (const n of [1, 2, 3, 4, 5, 6, 7])
      (await change({ email: `${n}@example.com`, currentPassword: PASSWORD })).assertOk();
    const limited = await change({ email: '8@example.com', currentPassword: PASSWORD });
    limited.assertError('RATE_LIMIT');
    await until(async () => mailServer.mails.length === 7, 'the mails');
    mailServer.mails.splice(0);
  });

  it('is requested five times an hour for an e-mail, with or without account', async () => {
    for (const email of ['x@example.com', 'y@example.com']) {
      for (let n = 0; n < 5; n += 1) await requestLink(email);
      const limited = await browser().call('POST', '/password-resets', { email });
      limited.assertError('RATE_LIMIT');
    }
  });
});
