import type { Language } from '@citewell/contracts/messages';
import { describe, expect, it } from '@jest/globals';
import { composeMail } from './compose-mail.js';
import { MAIL_TEXTS } from './mail-texts.js';

const LINK = 'https://answers.example.com/#reset=cw_1';
const VALUES = { email: 'grace@example.com', host: 'answers.example.com' };

describe('composeMail', () => {
  it.each(Object.keys(MAIL_TEXTS) as Language[])('has the link and every value in %s', (language) => {
    const mail = composeMail('passwordReset', { language, link: LINK, values: VALUES });
    const all = JSON.stringify(mail);
    expect(all).not.toMatch(/\{\w+\}|undefined/);
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain(LINK);
      for (const value of Object.values(VALUES)) expect(text).toContain(value);
    }
    expect(mail.text.split('\n')).toContain(LINK);
  });

  it.each([
    ['a\r\nBcc: everybody@example.com', 'the account a Bcc: everybody@example.com at'],
    ['a\u2028b\u0000c', 'the account a b c at'],
    ['{host} {link}', 'the account {host} {link} at'],
    ['$& Ltd', 'the account $& Ltd at'],
  ])('keeps the value %j in one line', (email, sentence) => {
    const mail = composeMail('passwordReset', { language: 'en', link: LINK, values: { ...VALUES, email } });
    expect(mail.text).toContain(sentence);
    expect(mail.text.split('\n')).toHaveLength(6);
  });

  it('escapes values in HTML', () => {
    const email = '<a href="https://evil.example">Pumps</a>';
    const { html } = composeMail('passwordReset', {
      language: 'en',
      link: LINK,
      values: { ...VALUES, email },
    });
    expect(html).not.toContain('evil.example">');
    expect(html.match(/<a /g)).toHaveLength(1);
  });
});
