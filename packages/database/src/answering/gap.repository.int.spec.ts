import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { TenantScope } from '../connection/tenant-scope.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { PersonRepository } from '../identity/people/person.repository.js';
import { WebhookRepository } from '../interfaces/webhook.repository.js';
import { OrganizationRepository } from '../tenancy/organization.repository.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository } from './conversation.repository.js';
import { GapRepository } from './gap.repository.js';
import { ResumableAnswerRepository } from './resumable-answer.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let gaps: GapRepository;
let tenant: TestTenant;
let agentId: string;
beforeAll(async () => {
  dataSource = await server.database();
  gaps = new GapRepository(dataSource);
});
afterAll(() => server.close());
beforeEach(async () => {
  await dataSource.query('DELETE FROM gap_questions');
  tenant = await TestTenant.create(dataSource);
  const agents = new AgentRepository(dataSource);
  agentId = (await agents.create(tenant.scope, { name: 'agent' }, [tenant.datastoreId])).agent.id;
});

/** Stores a question with its answer. @returns the id of the answer */
async function ask(text: string, { scope = tenant.scope, abstained = true, thread = newId() } = {}) {
  const [question, answer] = [
    { id: newId(), text },
    { id: newId(), text: 'a', sources: [], abstained },
  ];
  const conversation = { agentId, externalId: thread, visitorId: 'v' };
  await new ConversationRepository(dataSource).append(scope, conversation, { question, answer });
  return answer.id;
}

/** Groups the new questions by their first word. */
async function group(): Promise<void> {
  const wordOf = (text: string): string | undefined => text.toLowerCase().split(/[^a-z]/)[0];
  for (const question of await gaps.newQuestions(100)) {
    const { text } = question;
    const embedding = { space: 's', vector: Buffer.from(text) };
    await gaps.add(question, { text, embedding }, async (known) => {
      for (const gap of known) expect(gap.embedding).toEqual({ space: 's', vector: Buffer.from(gap.text) });
      return known.find((gap) => wordOf(gap.text) === wordOf(text))?.gapId ?? null;
    });
  }
}

const list = async (filter = {}, scope = tenant.scope) => gaps.list(scope, { limit: 10 }, filter);
const first = async () => {
  const [gap] = await list();
  if (!gap) throw new Error('There is no gap');
  return gap;
};
/** Everything happened two days ago. */
const age = async () => {
  for (const [table, columns] of [
    ['gaps', ['created_at', 'last_asked_at', 'marked_at', 'claimed_at', 'checked_at', 'answered_at']],
    ['messages', ['created_at']],
    ['datasources', ['last_synch']],
    ['runs', ['finished_at']],
  ] as const)
    for (const column of columns)
      await dataSource.query(`UPDATE ${table} SET ${column} = ${column} - interval '2 days'`);
};
const claim = async (perOrganization = 10, limit = 10) =>
  gaps.claimDue({ since: new Date(Date.now() - 3_600_000), perOrganization, limit });
/** The claims have ended. */
const loseClaims = async () =>
  dataSource.query("UPDATE gaps SET claimed_at = claimed_at - interval '61 minutes'");
async function addDocument(): Promise<string> {
  const { datasource } = await tenant.datasource();
  await tenant.serve(datasource.id);
  return datasource.id;
}

describe('gaps', () => {
  it('have the questions without an answer, with counts, wordings and days, most frequent first', async () => {
    await ask('answered', { abstained: false });
    for (const text of ['Parking?', 'warranty of the pump', 'warranty', 'Warranty?']) await ask(text);
    await group();
    const day = new Date().toISOString().slice(0, 10);
    expect(await list()).toMatchObject([
      {
        questions: 3,
        wordings: [
          { question: expect.stringMatching(/^warranty\??$/i), count: 2 },
          { question: 'warranty of the pump', count: 1 },
        ],
        days: [{ day, count: 3 }],
        agentIds: [agentId],
        state: 'open',
        checkedAt: null,
        document: null,
      },
      { questions: 1, wordings: [{ question: 'Parking?', count: 1 }] },
    ]);
    const [one, two] = [await gaps.list(tenant.scope, { limit: 1 }, {}), await list()];
    expect(await gaps.list(tenant.scope, { limit: 1, cursor: one[0]?.id }, {})).toEqual(two.slice(1));
  });

  it('count the questions of the last days and of one agent', async () => {
    await ask('old');
    await group();
    await age();
    await ask('new');
    await group();
    expect((await list({ days: 1 })).map(({ wordings }) => wordings[0]?.question)).toEqual(['new']);
    expect(await list({ days: 3, agentId })).toHaveLength(2);
    for (const other of ['x', newId()]) expect(await list({ agentId: other })).toEqual([]);
  });

  it('have questions of answers that were stored while they were written, once', async () => {
    const answers = new ResumableAnswerRepository(dataSource);
    const [thread, answerId] = [{ agentId, externalId: newId(), visitorId: 'v' }, newId()];
    await answers.begin(tenant.scope, thread, { question: { id: newId(), text: 'q' }, answerId });
    expect(await gaps.newQuestions(10)).toEqual([]);
    const end = { state: 'complete', text: 'a', finishReason: 'stop', error: null } as const;
    await answers.end(tenant.scope, answerId, { ...end, sources: [], abstained: true });
    expect(await gaps.newQuestions(10)).toMatchObject([{ answerId, text: expect.any(String) }]);
  });

  it('lose the questions of a deleted conversation, and end without questions', async () => {
    await ask('gone', { thread: 'gone' });
    await group();
    const conversations = new ConversationRepository(dataSource);
    const conversation = valueOf(await conversations.find(tenant.scope, agentId, 'gone'));
    await conversations.remove(tenant.scope, conversation?.id ?? '');
    expect(await list()).toEqual([]);
    await gaps.collect();
    expect(
      await dataSource.query('SELECT 1 FROM gaps WHERE organization_id = $1', [tenant.organizationId]),
    ).toEqual([]);
  });

  it('of another organization do not exist', async () => {
    await ask('mine');
    await group();
    const { scope } = await TestTenant.create(dataSource);
    expect(await list({}, scope)).toEqual([]);
    expect(await gaps.mark(scope, (await first()).id, true)).toBeNull();
    expect(await first()).toMatchObject({ state: 'open', markedAt: null });
    expect(await gaps.mark(tenant.scope, 'no id', true)).toBeNull();
  });

  it('are marked by a person, and open again by a later question or by hand', async () => {
    const owner = await new PersonRepository(dataSource).firstOwner(tenant.organizationId);
    const scope = new TenantScope(tenant.organizationId, { personId: owner.id, role: 'owner' });
    await ask('mine');
    await group();
    const { id } = await first();
    expect(await gaps.mark(scope, id, true)).toMatchObject({ state: 'marked', markedBy: owner.id });
    expect(await list({ state: 'open' })).toEqual([]);
    expect(await list({ state: 'marked' })).toHaveLength(1);
    await ask('mine, too');
    await group();
    expect(await first()).toMatchObject({ state: 'open', questions: 2 });
    await gaps.mark(scope, id, true);
    expect(await gaps.mark(scope, id, false)).toMatchObject({ state: 'open', markedAt: null });
  });
});

describe('a gap is asked again', () => {
  it.each([
    ['that is new', {}, false],
    ['of the night before without new content', { isOld: true }, false],
    ['of the night before with new content', { isOld: true, isAdded: true }, true],
    ['of the night before that was marked', { isOld: true, isMarked: true }, true],
    ['of an agent of all libraries', { isOld: true, isAdded: true, libraries: 'all' }, true],
    ['of an agent that searches other libraries', { isOld: true, isAdded: true, libraries: 'none' }, false],
    ['with content that is older than the question', { isOld: true, isAddedBefore: true }, false],
    ['that another night has to take', { isOld: true, isAdded: true, perOrganization: 0 }, false],
  ])(
    '%s',
    async (
      _,
      { isOld, isAdded, isAddedBefore, isMarked, perOrganization, libraries }: Record<string, unknown>,
      expected,
    ) => {
      if (libraries !== undefined) {
        await dataSource.query('DELETE FROM agent_datastores WHERE agent_id = $1', [agentId]);
        const isAll = libraries === 'all';
        await dataSource.query('UPDATE agents SET all_datastores = $2 WHERE id = $1', [agentId, isAll]);
      }
      if (isAddedBefore === true) await addDocument();
      await ask('mine');
      await group();
      if (isOld === true) await age();
      if (isAdded === true) await addDocument();
      if (isMarked === true) await gaps.mark(tenant.scope, (await first()).id, true);
      const due = await claim(typeof perOrganization === 'number' ? perOrganization : 10);
      const own = { organizationId: tenant.organizationId, agentId, question: 'mine' };
      expect(due).toEqual(
        expected ? [expect.objectContaining({ ...own, isNewlyMarked: isMarked === true })] : [],
      );
      // Once in a night.
      for (const gap of due) await gaps.record(gap, null);
      await loseClaims();
      expect(await claim(typeof perOrganization === 'number' ? perOrganization : 10)).toEqual([]);
    },
  );

  it.each(['marked', 'with new content'])('until a search succeeds, if it is %s', async (kind) => {
    await ask('mine');
    await group();
    await age();
    if (kind === 'marked') await gaps.mark(tenant.scope, (await first()).id, true);
    else await addDocument();
    const [due] = await claim();
    expect(await claim()).toEqual([]);
    await loseClaims();
    const [again] = await claim();
    if (!again) throw new Error('It is not due');
    expect(again).toEqual({ ...due, isNewlyMarked: kind === 'marked' });
    expect(await first()).toMatchObject({ checkedAt: null });
    await gaps.record(again, null);
    expect(await first()).toMatchObject({ checkedAt: expect.any(Date) });
    await age();
    expect(await claim()).toEqual([]);
  });

  it('unless as many as a night may take were asked or are claimed', async () => {
    for (const text of ['mine', 'another']) await ask(text);
    await group();
    await age();
    await addDocument();
    const [due] = await claim(1, 1);
    if (!due) throw new Error('It is not due');
    expect(await claim(1)).toEqual([]);
    await loseClaims();
    expect(await claim(1, 1)).toEqual([due]);
    await gaps.record(due, null);
    await loseClaims();
    expect(await claim(1)).toEqual([]);
    expect(await claim(2)).toHaveLength(1);
  });

  it('with content that is added while it is searched', async () => {
    await ask('mine');
    await group();
    await age();
    await addDocument();
    const [due] = await claim();
    if (!due) throw new Error('It is not due');
    await addDocument();
    await gaps.record(due, null);
    await age();
    expect(await claim()).toHaveLength(1);
  });

  it('with an event, and who marked it is told while an owner', async () => {
    const people = new PersonRepository(dataSource);
    const invitation = { linkHash: newId(), linkExpiresAt: new Date() };
    const fields = { email: 'grace@example.com', role: 'owner' as const, ...invitation };
    const { id: personId } = valueOf(await people.invite(tenant.scope, fields));
    await people.firstOwner(tenant.organizationId);
    const scope = new TenantScope(tenant.organizationId, { personId, role: 'owner' });
    const webhook = { id: newId(), url: 'https://example.com/', sealedSecret: 'x' };
    const events = ['gap.answered' as const, 'gap.unanswered' as const];
    await new WebhookRepository(dataSource).create(tenant.scope, { ...webhook, events }, 100);
    await ask('mine');
    await group();
    await age();
    const { id } = await first();
    await gaps.mark(scope, id, true);
    const [due] = await claim();
    if (!due) throw new Error('It is not due');
    expect(await gaps.record(due, null)).toEqual({ email: 'grace@example.com', language: null });
    expect(await first()).toMatchObject({ state: 'marked', answeredAt: null });

    await age();
    const datasourceId = await addDocument();
    const [again] = await claim();
    if (!again) throw new Error('It is not due');
    expect(await gaps.changedSince(tenant.scope, [datasourceId], again.lastAskedAt)).toEqual(
      new Set([datasourceId]),
    );
    expect(await gaps.changedSince(tenant.scope, [datasourceId], new Date(Date.now() + 1_000))).toEqual(
      new Set(),
    );
    await dataSource.query(`UPDATE people SET role = 'member' WHERE id = $1`, [personId]);
    expect(await gaps.record(again, datasourceId)).toBeNull();
    expect(await first()).toMatchObject({
      state: 'answered',
      document: { id: datasourceId, name: 'text', datastoreId: tenant.datastoreId },
    });
    const sent = await dataSource.query(
      'SELECT type, data FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
      [webhook.id],
    );
    expect(sent).toEqual([
      { type: 'gap.unanswered', data: { gapId: id, agentId } },
      { type: 'gap.answered', data: { gapId: id, agentId, datasourceId } },
    ]);

    await tenant.datasources.markDeleted(tenant.scope, datasourceId);
    expect(await first()).toMatchObject({ state: 'answered', document: null });
    await ask('mine again');
    await group();
    expect(await first()).toMatchObject({ state: 'open' });
    // Asked meanwhile: the result is that of another question.
    expect(await gaps.record(again, datasourceId)).toBeNull();
    expect(await first()).toMatchObject({ state: 'open' });
  });
});

it('a mail of the week is due a week after it was wanted, and claimed once by all processes', async () => {
  const organizations = new OrganizationRepository(dataSource);
  const people = new PersonRepository(dataSource);
  const dueAt = async () => (await organizations.find(tenant.organizationId))?.gapMailDueAt ?? null;
  const claims = async () => (await Promise.all([1, 2, 3].map(() => gaps.claimWeeklyMails(10)))).flat();
  const comeDue = `UPDATE organizations SET gap_mail_due_at = now() WHERE id = $1`;
  expect(await dueAt()).toBeNull();
  await organizations.setWeeklyGapMail(tenant.scope, true);
  const first = await dueAt();
  expect((first?.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  await organizations.setWeeklyGapMail(tenant.scope, true);
  expect(await dueAt()).toEqual(first);
  expect(await claims()).not.toContain(tenant.organizationId);
  await dataSource.query(comeDue, [tenant.organizationId]);
  expect((await claims()).filter((id) => id === tenant.organizationId)).toHaveLength(1);
  expect(await claims()).toEqual([]);
  await dataSource.query(comeDue, [tenant.organizationId]);
  await organizations.setWeeklyGapMail(tenant.scope, false);
  expect(await claims()).toEqual([]);

  await people.firstOwner(tenant.organizationId);
  const link = { linkHash: newId(), linkExpiresAt: new Date() };
  valueOf(await people.invite(tenant.scope, { email: 'ada@example.com', role: 'owner', ...link }));
  expect(await gaps.owners(tenant.scope)).toEqual([{ email: null, language: null }]);
});
