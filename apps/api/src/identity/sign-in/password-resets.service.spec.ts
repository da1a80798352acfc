import { describe, expect, it } from '@jest/globals';
import type { Mail } from '../mail/mailer.service.js';
import { LinkLimiter } from '../mail/link-limiter.js';
import { PasswordResetsService } from './password-resets.service.js';

const EMAIL = 'grace@example.com';

/** A service with one account. */
function serviceWith({
  isConfigured = true,
  language = null as string | null,
  accounts: known = [{ id: 'a', email: EMAIL as string | null }],
} = {}) {
  const events: string[] = [];
  const mails: Mail[] = [];
  const accounts = {
    withEmail: async (email: string) => {
      events.push('looked up');
      return email === EMAIL ? known[0] : null;
    },
    allWithEmail: async () => known,
    language: async () => language,
  };
  const resets = { create: async () => ({ ok: true }) };
  const mailer = { isConfigured, send: (mail: Mail) => void mails.push(mail) };
  const config = { PUBLIC_URL: 'https://answers.example.com' };
  const service = new PasswordResetsService(
    accounts as never,
    resets as never,
    mailer as never,
    new LinkLimiter(30, () => 0),
    config,
    { warn: () => undefined },
  );
  return { service, events, mails };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('PasswordResetsService', () => {
  it('answers before it looks for the account', async () => {
    const { service, events, mails } = serviceWith();
    for (const email of [EMAIL, 'nobody@example.com']) {
      service.request({ email }, '192.0.2.1');
      events.push('answered');
    }
    await soon();
    expect(events).toEqual(['answered', 'answered', 'looked up', 'looked up']);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: EMAIL, subject: 'Choose a new password for Citewell' });
    expect(mails[0]?.text).toMatch(/^https:\/\/answers\.example\.com\/#reset=[\w-]{20,}$/m);
  });

  it('writes a link for each account that nobody has verified', async () => {
    const { service, mails } = serviceWith({ accounts: ['a', 'b'].map((id) => ({ id, email: null })) });
    service.request({ email: EMAIL }, '192.0.2.1');
    await soon();
    expect(new Set(mails.map(({ text }) => text)).size).toBe(2);
    expect(mails.map(({ to }) => to)).toEqual([EMAIL, EMAIL]);
  });

  it.each([
    ['fr', 'ja', 'Choisir un nouveau mot de passe pour Citewell'],
    [null, 'de', 'Neues Passwort für Citewell wählen'],
    [null, undefined, 'Choose a new password for Citewell'],
    ['tlh', undefined, 'Choose a new password for Citewell'],
  ] as const)('writes to a person with language %s from a page in %s', async (language, page, subject) => {
    const { service, mails } = serviceWith({ language });
    service.request({ email: EMAIL, language: page }, '192.0.2.1');
    await soon();
    expect(mails[0]?.subject).toBe(subject);
  });

  it('limits the links of an e-mail and the requests of an address, with and without account', () => {
    for (const email of [EMAIL, 'nobody@example.com']) {
      const { service } = serviceWith();
      for (let n = 0; n < 5; n += 1) service.request({ email }, `192.0.2.${n}`);
      const limited = expect.objectContaining({ code: 'RATE_LIMIT', retryAfterSeconds: 720 });
      expect(() => service.request({ email }, '192.0.2.99')).toThrow(limited);
    }
    const { service } = serviceWith();
    for (let n = 0; n < 30; n += 1) service.request({ email: `${n}@example.com` }, '192.0.2.1');
    expect(() => service.request({ email: 'x@example.com' }, '192.0.2.1')).toThrow(/Too many links/);
  });

  it('is refused without a mail server', () => {
    const { service } = serviceWith({ isConfigured: false });
    expect(service.isOffered).toBe(false);
    expect(() => service.request({ email: EMAIL }, '192.0.2.1')).toThrow(/sends no e-mail/);
  });
});
