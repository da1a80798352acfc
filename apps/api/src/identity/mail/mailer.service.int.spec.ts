import { MailServer } from '@citewell/testing/mail-server';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Mailer } from './mailer.service.js';

const MAIL = { to: 'grace@example.com', subject: 'S', text: 'secret text', html: '<p>secret text</p>' };
const FROM = 'Citewell <citewell@example.com>';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

/** A mailer for a server. Its retries follow at once. */
function mailerTo(url: string, retries = 3) {
  const warnings: string[] = [];
  const logger = {
    warn: (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const config = { SMTP_URL: url, MAIL_FROM: FROM };
  const mailer = new Mailer(config, logger as never, Array<number>(retries).fill(5));
  ends.push(() => mailer.beforeApplicationShutdown());
  return { mailer, warnings };
}

async function start(...parameters: Parameters<typeof MailServer.start>): Promise<MailServer> {
  const server = await MailServer.start(...parameters);
  ends.push(() => server.stop());
  return server;
}

async function until(condition: () => boolean): Promise<void> {
  for (let rounds = 0; !condition(); rounds += 1) {
    if (rounds > 4_000) throw new Error(`It does not become true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('Mailer', () => {
  it('sends one mail to one recipient, with both kinds of text', async () => {
    const server = await start();
    const { mailer, warnings } = mailerTo(server.url);
    for (const to of ['grace@example.com', 'a,b@example.com', "o'hara@example.com"])
      mailer.send({ ...MAIL, to });
    mailer.send({ ...MAIL, subject: 'a\r\nBcc: everybody@example.com' });
    await until(() => server.mails.length === 4);
    expect(server.mails.map(({ recipients }) => recipients.length)).toEqual([1, 1, 1, 1]);
    for (const { from, source } of server.mails) {
      expect(from).toBe('citewell@example.com');
      const headers = source.slice(0, source.indexOf('\r\n\r\n'));
      expect(headers).toMatch(/^From: Citewell <citewell@example.com>\r$/m);
      expect(headers).not.toMatch(/^Bcc:/im);
      expect(headers).toContain('multipart/alternative');
    }
    expect(warnings).toEqual([]);
  });

  it('sends again what is refused for now, and not what is refused', async () => {
    const server = await start();
    const { mailer, warnings } = mailerTo(server.url);
    server.refusals.push(451, 450);
    mailer.send(MAIL);
    await until(() => server.mails.length === 1);
    expect(server.attempts).toBe(3);
    server.refusals.push(550);
    mailer.send(MAIL);
    await until(() => warnings.length === 3);
    server.refusals.push(451, 451, 451, 451);
    mailer.send(MAIL);
    await until(() => warnings.length === 7);
    expect([server.mails.length, server.attempts]).toEqual([1, 8]);
    expect(warnings.join('\n')).not.toMatch(/secret|grace/);
  });

  it('logs that the server is down, and sends when it is back', async () => {
    const first = await MailServer.start();
    const { port, url } = first;
    await first.stop();
    const { mailer, warnings } = mailerTo(url, 1_000);
    mailer.send(MAIL);
    await until(() => warnings.length > 0);
    expect(warnings[0]).toContain('a mail was not sent');
    const server = await start({ hideSTARTTLS: true }, port);
    await until(() => server.mails.length === 1);
  });

  it('does not send without the encryption that a certificate refuses', async () => {
    const server = await start({});
    const { mailer, warnings } = mailerTo(server.url);
    mailer.send(MAIL);
    await until(() => warnings.length > 0 && warnings.at(-1)?.includes('retryAfterMs') === false);
    expect(server.mails).toEqual([]);
  });

  it('does not send an unencrypted password to another machine', async () => {
    const server = await start({ hideSTARTTLS: true });
    // This name is that of the loopback interface, but it could be another machine.
    const { mailer, warnings } = mailerTo(`smtp://u:p@127.0.0.1.:${server.port}`, 0);
    mailer.send(MAIL);
    await until(() => warnings.length === 1);
    expect(server.mails).toEqual([]);
  });

  it('logs a wrong password without it, once', async () => {
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('Invalid'), { responseCode: 454 }));
    const server = await start({ hideSTARTTLS: true, allowInsecureAuth: true, onAuth });
    const { mailer, warnings } = mailerTo(`smtp://user:hunter2@127.0.0.1:${server.port}`);
    mailer.send(MAIL);
    await until(() => warnings.length === 1);
    expect(warnings[0]).toContain('EAUTH');
    expect(warnings[0]).not.toContain('hunter2');
    expect(server.mails).toEqual([]);
  });
});
