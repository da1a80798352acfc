import type { AgentEntity, DatastoreEntity, DueGap } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import type { Mail } from '../../identity/mail/mailer.service.js';
import type { RankedPassage } from '../search/search.service.js';
import { beginOfNight, GapCheck } from './gap-check.task.js';
import { GapMails } from './gap-mails.service.js';

const GAP: DueGap = {
  id: 'gap',
  organizationId: 'o',
  agentId: 'agent',
  question: 'How long is the warranty?',
  lastAskedAt: new Date(0),
  isNewlyMarked: true,
};

describe('GapCheck', () => {
  const passage = (datasourceId: string, score: number) =>
    ({ datasourceId, score, run: { datasourceName: `${datasourceId}.pdf` } }) as RankedPassage;

  async function check({
    found = [] as RankedPassage[],
    changed = [] as string[],
    minScore = 0.5,
    datastores = 1,
    email = 'grace@example.com' as string | null,
    error = undefined as Error | undefined,
  }) {
    const mails: Mail[] = [];
    const records: (string | null)[] = [];
    const warnings: string[] = [];
    const task = new GapCheck(
      {
        claimDue: async () => [GAP],
        collect: async () => undefined,
        changedSince: async (_, ids) => new Set(ids.filter((id) => changed.includes(id))),
        record: async (_, datasourceId) => {
          records.push(datasourceId);
          return { email, language: 'de' };
        },
      },
      { findAlone: async () => ({ minScore }) as AgentEntity },
      { ofAgent: async () => Array.from({ length: datastores }, () => ({}) as DatastoreEntity) },
      {
        find: async () => {
          if (error) throw error;
          return { questions: [], passages: found };
        },
      },
      new GapMails(
        { isConfigured: true, send: (mail) => void mails.push(mail) },
        { PUBLIC_URL: 'https://example.com/citewell' },
      ),
      { warn: (_: object, message?: string) => void warnings.push(message ?? '') },
    );
    await task.run();
    return { records, mails, warnings };
  }

  it.each([
    ['a relevant passage of a new document', { found: [passage('new', 0.7)], changed: ['new'] }, 'new'],
    ['the best new one', { found: [passage('old', 0.9), passage('new', 0.6)], changed: ['new'] }, 'new'],
    ['none without relevance', { found: [passage('new', 0.4)], changed: ['new'] }, null],
    ['none of an old document', { found: [passage('old', 0.9)] }, null],
    [
      'none below the minimum of the agent',
      { found: [passage('new', 0.7)], changed: ['new'], minScore: 0.8 },
      null,
    ],
    // An agent that never abstains by itself.
    ['none below what is relevant', { found: [passage('new', 0.2)], changed: ['new'], minScore: 0 }, null],
    ['none without a library', { datastores: 0, found: [passage('new', 0.9)], changed: ['new'] }, null],
  ])('finds %s', async (_, given, expected) => {
    const { records, mails } = await check(given);
    expect(records).toEqual([expected]);
    const [{ to, text } = { to: '', text: '' }] = mails;
    expect(to).toBe('grace@example.com');
    expect(text).toContain('How long is the warranty?');
    expect(text).toContain('https://example.com/citewell/missing');
    expect(text.includes('new.pdf')).toBe(expected !== null);
  });

  it('goes on after a search that fails, and sends nothing without an address', async () => {
    expect(await check({ error: new Error('down') })).toMatchObject({
      records: [],
      warnings: [expect.any(String)],
    });
    expect((await check({ email: null })).mails).toEqual([]);
  });
});

it.each([
  [new Date(2026, 2, 5, 1, 59), new Date(2026, 2, 4, 2)],
  [new Date(2026, 2, 5, 2, 0), new Date(2026, 2, 5, 2)],
  [new Date(2026, 2, 1, 0, 30), new Date(2026, 1, 28, 2)],
])('the night of %s began at %s', (now, expected) => expect(beginOfNight(now)).toEqual(expected));
