import type { GapOwner, GapRow } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import type { Mail } from '../../identity/mail/mailer.service.js';
import { GapMails, WeeklyGapMail } from './gap-mails.service.js';

const gap = (question: string, questions: number) =>
  ({ questions, wordings: [{ question, count: questions }] }) as GapRow;

describe('WeeklyGapMail', () => {
  async function send(
    gaps: readonly GapRow[],
    owners: readonly GapOwner[] = [{ email: 'grace@example.com', language: 'en' }],
    isConfigured = true,
  ) {
    const mails: Mail[] = [];
    let claims = 0;
    const task = new WeeklyGapMail(
      {
        claimWeeklyMails: async () => {
          claims += 1;
          return ['o'];
        },
        list: async () => [...gaps],
        owners: async () => [...owners],
      },
      new GapMails(
        { isConfigured, send: (mail) => void mails.push(mail) },
        { PUBLIC_URL: 'https://example.com/citewell' },
      ),
    );
    await task.run();
    return { mails, claims };
  }

  it('has counts, the five most frequent subjects, and a link', async () => {
    const gaps = ['<b>a</b>', 'b\r\nBcc: x', 'c'.repeat(500), 'd', 'e', 'f'].map((text, index) =>
      gap(text, 9 - index),
    );
    const [mail] = (await send(gaps)).mails;
    expect(mail?.subject).toBe('Questions that your documents did not answer this week: 39');
    expect(mail?.text)
      .toBe(`Your documents did not answer some questions of the last seven days. Questions: 39. Subjects: 6. Most frequent:

- <b>a</b> (9)
- b Bcc: x (8)
- ${'c'.repeat(200)}… (7)
- d (6)
- e (5)

https://example.com/citewell/missing

Names are not shown. Owners can switch this mail off on that page.
`);
    expect(mail?.html).toContain('<li>&lt;b&gt;a&lt;/b&gt; (9)</li>');
  });

  it('is in the language of each owner with an address', async () => {
    const owners = [
      { email: 'a@example.com', language: 'de' },
      { email: null, language: 'fr' },
      { email: 'b@example.com', language: null },
    ];
    const { mails } = await send([gap('Warum?', 1)], owners);
    expect(mails.map(({ to, subject }) => [to, subject.slice(0, 6)])).toEqual([
      ['a@example.com', 'Fragen'],
      ['b@example.com', 'Questi'],
    ]);
  });

  it('is not sent without questions, and not claimed without a mail server', async () => {
    expect(await send([])).toEqual({ mails: [], claims: 1 });
    expect(await send([gap('a', 1)], undefined, false)).toEqual({ mails: [], claims: 0 });
  });
});
