import type { Language } from '@citewell/contracts/messages';
import { describe, expect, it } from '@jest/globals';
import { composeMail } from './compose-mail.js';
import { MAIL_TEXTS } from './mail-texts.js';

const LINK = 'https://answers.example.com/#reset=cw_1';
const VALUES = {
  email: 'grace@example.com',
  host: 'answers.example.com',
  inviter: 'Grace Hopper',
  organization: 'Pumps',
  date: 'May',
  question: 'How long is the warranty?',
  document: 'Warranty.pdf',
  questions: '31',
  subjects: '17',
};

describe('composeMail', () => {
  it.each(Object.keys(MAIL_TEXTS) as Language[])('has the link and every value in %s', (language) => {
    for (const kind of [
      'passwordReset',
      'invitation',
      'personalInvitation',
      'gapAnswered',
      'gapUnanswered',
      'gapsOfWeek',
    ] as const) {
      const mail = composeMail(kind, { language, link: LINK, values: VALUES });
      const all = JSON.stringify(mail);
      expect(all).not.toMatch(/\{\w+\}|undefined/);
      for (const text of [mail.text, mail.html]) expect(text).toContain(LINK);
      expect(mail.text.split('\n')).toContain(LINK);
      const used = {
        passwordReset: ['email', 'host'],
        invitation: ['organization', 'host', 'date'],
        personalInvitation: ['inviter', 'organization', 'host', 'date'],
        gapAnswered: ['question', 'document'],
        gapUnanswered: ['question'],
        gapsOfWeek: ['questions', 'subjects'],
      }[kind];
      if (!kind.startsWith('gap')) expect(mail.subject).toContain('Citewell');
      for (const name of used) expect(all).toContain(VALUES[name as keyof typeof VALUES]);
    }
  });

  it.each([
    ['a\r\nBcc: everybody@example.com', 'You are invited to a Bcc: everybody@example.com on Citewell'],
    ['a\u2028b\u0000c', 'You are invited to a b c on Citewell'],
    ['{email} {link}', 'You are invited to {email} {link} on Citewell'],
    ['=?utf-8?q?Pumps?=', 'You are invited to =?utf-8?q?Pumps?= on Citewell'],
    ['$& Ltd', 'You are invited to $& Ltd on Citewell'],
  ])('keeps the subject in one line with the name %j', (organization, subject) => {
    const mail = composeMail('invitation', {
      language: 'en',
      link: LINK,
      values: { ...VALUES, organization },
    });
    expect(mail.subject).toBe(subject);
    expect(mail.text.split('\n')).toHaveLength(6);
  });

  it('escapes names in HTML', () => {
    const organization = '<a href="https://evil.example">Pumps</a>';
    const { html } = composeMail('invitation', {
      language: 'en',
      link: LINK,
      values: { ...VALUES, organization },
    });
    expect(html).not.toContain('evil.example">');
    expect(html.match(/<a /g)).toHaveLength(1);
  });
});
