import { personWithTokenSchema, sessionSchema, signInOptionsSchema } from '@citewell/contracts/schemas';
import { freePort } from '@citewell/testing';
import { MailServer } from '@citewell/testing/mail-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from './client/api-client.js';
import { BrowserSession } from './client/browser-session.js';
import { Tenant, until } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';
import { linkIn } from './fixtures/link-in-mail.js';

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
    await until(async () => mailServer.mails.length > 0, 'a mail', 10_000);
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
    await until(async () => mailServer.attempts > attempts, 'an attempt', 10_000);
    const { output } = deployment.processes['standalone'] ?? { output: '' };
    expect(output).toContain('a mail was not sent');
    expect(output).not.toContain('#reset=');
    expect(output).not.toContain(EMAIL);
  });

  it('is not that of an invitation, which is sent on demand, in the language of the page', async () => {
    const email = "o'hara,x@example.com";
    const json = { email, role: 'member', sendMail: true, language: 'de' };
    const invited = await tenants[0]!.api.post('/people', json);
    const { token } = invited.as(personWithTokenSchema.strict());
    await until(async () => mailServer.mails.length > 0, 'a mail', 10_000);
    const [mail] = mailServer.mails.splice(0);
    // One mailbox, whose name has to be quoted.
    expect(mail?.recipients).toEqual([`"o'hara,x"@example.com`]);
    expect(mail?.source).toContain('Subject: Einladung zu A\r\n');
    const link = linkIn(mail?.source ?? '');
    expect(link).toBe(`${publicUrl}/#invite=${token}&email=${encodeURIComponent(email)}`);
    (await tenants[0]!.api.post('/people', json)).assertError('CONFLICT');
    expect(mailServer.mails).toEqual([]);
  });

  it('is requested five times an hour for an e-mail, with or without account', async () => {
    for (const email of ['x@example.com', 'y@example.com']) {
      for (let n = 0; n < 5; n += 1) await requestLink(email);
      const limited = await browser().call('POST', '/password-resets', { email });
      limited.assertError('RATE_LIMIT');
    }
  });
});
