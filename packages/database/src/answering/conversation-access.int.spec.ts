import type { Role } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { type CallingKey, TenantScope } from '../connection/tenant-scope.js';
import { outcomeOf, valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { ApiKeyEntity, PersonEntity } from '../schema/identity.entities.js';
import { OrganizationEntity } from '../schema/tenancy.entities.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository } from './conversation.repository.js';
import { ResumableAnswerRepository } from './resumable-answer.repository.js';
import { SharedConversationRepository } from './shared-conversation.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let conversations: ConversationRepository;
let organizationId: string;
let agentId: string;
const scopes: Record<string, TenantScope> = {};

const scopeOf = (name: string): TenantScope => scopes[name] ?? new TenantScope('');

async function person(role: Role, name: string | null = null): Promise<TenantScope> {
  const id = newId();
  await dataSource.manager.insert(PersonEntity, { id, organizationId, role, name });
  return new TenantScope(organizationId, { personId: id, role });
}

async function key(kind: CallingKey['kind']): Promise<TenantScope> {
  const id = newId();
  const fields = { name: kind, prefix: 'cw_', hash: id, scopes: [] };
  await dataSource.manager.insert(ApiKeyEntity, { id, organizationId, ...fields });
  return new TenantScope(organizationId, null, { id, kind });
}

/** Asks a question. @returns the id of the answer */
async function ask(scope: TenantScope, externalId: string, text: string, visitorId = 'v'): Promise<string> {
  const question = { id: newId(), text };
  const answer = { id: newId(), text: `to ${text}`, sources: [], abstained: false };
  const thread = { agentId, externalId, visitorId };
  await conversations.append(scope, thread, { question, answer });
  return answer.id;
}

const setting = (since: Date | null) =>
  dataSource.manager.update(OrganizationEntity, organizationId, { ownersReadConversationsSince: since });

/** First questions of the conversations that a caller lists. */
const listed = async (name: string, filter = {}): Promise<string[]> =>
  (await conversations.list(scopeOf(name), { limit: 100 }, filter))
    .map(({ question }) => question)
    .toSorted();

beforeAll(async () => {
  dataSource = await server.database();
  conversations = new ConversationRepository(dataSource);
  const tenant = await TestTenant.create(dataSource);
  ({ organizationId } = tenant.scope);
  const { agent } = await new AgentRepository(dataSource).create(tenant.scope, { name: 'agent' }, []);
  agentId = agent.id;
  Object.assign(scopes, {
    owner: await person('owner', 'Olga'),
    editor: await person('editor'),
    member: await person('member', 'Grace'),
    otherMember: await person('member'),
    adminKey: await key('admin'),
    key: await key('other'),
    otherKey: await key('other'),
    page: await key('publishable'),
    worker: new TenantScope(organizationId),
  });
  for (const name of ['owner', 'editor', 'member', 'otherMember', 'adminKey', 'key', 'otherKey', 'page'])
    await ask(scopeOf(name), `by ${name}`, name);
  await ask(scopeOf('worker'), 'before', 'before');
});
afterAll(() => server.close());

const OF_KEYS = ['adminKey', 'before', 'key', 'otherKey', 'page'];
const OF_PEOPLE = ['editor', 'member', 'otherMember', 'owner'];

describe.each([
  ['owner', [...OF_KEYS, 'owner'], [...OF_KEYS, ...OF_PEOPLE]],
  ['editor', [...OF_KEYS, 'editor'], [...OF_KEYS, 'editor']],
  ['member', ['member'], ['member']],
  ['adminKey', OF_KEYS, [...OF_KEYS, ...OF_PEOPLE]],
  ['key', ['key'], ['key']],
  ['page', ['page'], ['page']],
  ['worker', [...OF_KEYS, ...OF_PEOPLE], [...OF_KEYS, ...OF_PEOPLE]],
])('%s reads', (name, without, withSetting) => {
  it.each([
    ['without the setting', null, without],
    ['with the setting', new Date(0), withSetting],
    ['with the setting since a moment after the conversations began', new Date(Date.now() + 60_000), without],
  ])('%s', async (_, since, expected) => {
    await setting(since);
    expect(await listed(name)).toEqual(expected.toSorted());
    const exported = await conversations.answers(scopeOf(name), {}, 100);
    expect(exported.map(({ question }) => question).toSorted()).toEqual(expected.toSorted());
    // Each conversation is found by the id that the list tells, and no other.
    const found = await conversations.list(scopeOf(name), { limit: 100 }, {});
    for (const { knownId, question } of found)
      expect((await conversations.findAll(scopeOf(name), knownId)).map((one) => one.question)).toEqual([
        question,
      ]);
    await setting(null);
    for (const one of [...OF_KEYS, ...OF_PEOPLE].filter((each) => !expected.includes(each))) {
      expect(await conversations.findAll(scopeOf(name), `by ${one}`)).toEqual([]);
      // A visitor has to have the token of the conversation, too.
      const forChange = name !== 'page';
      expect(await conversations.findAll(scopeOf(name), `by ${one}`, { forChange })).toEqual([]);
    }
  });
});

describe('an id that somebody else uses', () => {
  it('is an id of its own for each person', async () => {
    await ask(scopeOf('member'), 'same', 'first of the member');
    expect(valueOf(await conversations.find(scopeOf('otherMember'), agentId, 'same'))).toBeNull();
    await ask(scopeOf('otherMember'), 'same', 'first of the other');
    await ask(scopeOf('key'), 'same', 'first of the key');
    await ask(scopeOf('member'), 'same', 'second of the member');
    const of = async (name: string) =>
      (await conversations.findAll(scopeOf(name), 'same')).map(({ question, messages }) => [
        question,
        messages,
      ]);
    expect(await of('member')).toEqual([['first of the member', 4]]);
    expect(await of('otherMember')).toEqual([['first of the other', 2]]);
    expect(await of('key')).toEqual([['first of the key', 2]]);
    // An owner with the same id sees the own conversation first.
    await ask(scopeOf('owner'), 'same', 'first of the owner');
    expect(await of('owner')).toEqual([
      ['first of the owner', 2],
      ['first of the key', 2],
    ]);
  });

  it.each([
    ['member', 'key', 'null'],
    ['otherMember', 'member', 'null'],
    ['owner', 'adminKey', 'null'],
    ['key', 'member', 'null'],
    ['adminKey', 'member', 'null'],
    ['key', 'otherKey', 'taken'],
    ['key', 'adminKey', 'taken'],
    ['key', 'key', 'found'],
    ['adminKey', 'key', 'found'],
    ['page', 'key', 'found'],
  ])('%s with the conversation of %s: %s', async (caller, begunBy, expected) => {
    const thread = await conversations.find(scopeOf(caller), agentId, `by ${begunBy}`);
    expect(thread.ok ? (thread.value ? 'found' : 'null') : thread.reason).toBe(expected);
  });

  it('cannot be the id of the row of a person', async () => {
    const [own] = await conversations.findAll(scopeOf('member'), 'by member');
    await expect(ask(scopeOf('adminKey'), own?.conversation.id ?? '', 'x')).rejects.toThrow(/of a person/);
  });
});

it.each([
  ['was removed', async () => dataSource.manager.delete(ApiKeyEntity, { id: scopeOf('former').key?.id })],
  [
    'is not known',
    async () => dataSource.query(`UPDATE conversations SET api_key_id = NULL WHERE external_id = 'rotated'`),
  ],
])('another key goes on with the conversation of a key that %s, and does not list it', async (_, remove) => {
  scopes['former'] = await key('other');
  await dataSource.query(`DELETE FROM conversations WHERE external_id = 'rotated'`);
  await ask(scopeOf('former'), 'rotated', 'rotated');
  expect(outcomeOf(await conversations.find(scopeOf('key'), agentId, 'rotated'))).toBe('taken');
  await remove();
  expect(valueOf(await conversations.find(scopeOf('key'), agentId, 'rotated'))).toMatchObject({
    externalId: 'rotated',
  });
  expect(await listed('key')).not.toContain('rotated');
});

it('an answer is followed only by who goes on with its conversation', async () => {
  const answers = new ResumableAnswerRepository(dataSource);
  const id = newId();
  const thread = { agentId, externalId: 'growing', visitorId: 'v' };
  await answers.begin(scopeOf('member'), thread, { question: { id: newId(), text: 'q' }, answerId: id });
  await setting(new Date(0));
  expect(await answers.find(scopeOf('member'), agentId, id)).toMatchObject({ conversationId: 'growing' });
  for (const name of ['owner', 'editor', 'otherMember', 'adminKey', 'key', 'page'])
    expect([name, await answers.find(scopeOf(name), agentId, id)]).toEqual([name, null]);
  await setting(null);
});

describe('a search', () => {
  it.each([
    ['member', 'needle 100%', ['A Needle 100% of it']],
    ['member', 'NEEDLE', ['A Needle 100% of it', 'needle 100 of it']],
    ['member', '_', []],
    ['member', String.raw`\\`, []],
    ['member', 'to a needle', []],
    ['owner', 'needle', []],
    ['key', 'needle', ['needle of the key']],
  ])('of %s for %s finds only own questions', async (name, search, expected) => {
    for (const text of ['A Needle 100% of it', 'needle 100 of it']) await ask(scopeOf('member'), text, text);
    await ask(scopeOf('key'), 'needle', 'needle of the key');
    await setting(new Date(0));
    expect(await listed(name, { search })).toEqual(expected);
    await setting(null);
  });
});

it('own conversations are listed by their last question, page by page', async () => {
  scopes['late'] = await person('member');
  for (const id of ['1', '2', '3', '1']) await ask(scopeOf('late'), id, id);
  const first = await conversations.list(scopeOf('late'), { limit: 2 }, { own: true });
  const cursor = first.at(-1)?.conversation.id;
  const second = await conversations.list(scopeOf('late'), { limit: 2, cursor }, { own: true });
  expect([...first, ...second].map(({ knownId }) => knownId)).toEqual(['1', '3', '2']);
});

it('the conversations of a visitor are removed without those of other people', async () => {
  for (const name of ['member', 'editor', 'key', 'adminKey'])
    await ask(scopeOf(name), 'visit', name, 'visitor');
  expect(await conversations.removeVisitor(scopeOf('editor'), 'visitor')).toEqual({
    conversations: 2,
    messages: 6,
  });
  expect(valueOf(await conversations.find(scopeOf('member'), agentId, 'visit'))).toMatchObject({
    visitorId: 'visitor',
  });
});

it('conversations leave with their person, and stay when a key leaves', async () => {
  const count = async (): Promise<number> =>
    (await conversations.list(scopeOf('worker'), { limit: 200 }, {})).length;
  const before = await count();
  const leaver = await person('member');
  const formerKey = await key('other');
  await ask(leaver, 'leaves', 'q');
  await ask(formerKey, 'stays', 'q');
  await dataSource.manager.delete(PersonEntity, { id: leaver.reader?.personId });
  await dataSource.manager.delete(ApiKeyEntity, { id: formerKey.key?.id });
  expect(await count()).toBe(before + 1);
});

describe('a link', () => {
  it('is that of the person, and not of another one or of a key', async () => {
    const shared = new SharedConversationRepository(dataSource);
    await ask(scopeOf('member'), 'shared', 'shared');
    const [own] = await conversations.findAll(scopeOf('member'), 'shared');
    const id = own?.conversation.id ?? '';
    for (const name of ['otherMember', 'owner', 'adminKey', 'worker']) {
      expect(await shared.share(scopeOf(name), id)).toBeNull();
      if (name !== 'worker') expect(await shared.rename(scopeOf(name), id, 'x')).toBe(false);
    }
    const share = await shared.share(scopeOf('member'), id);
    await shared.unshare(scopeOf('owner'), id);
    expect(await shared.find(scopeOf('owner'), share?.id ?? '')).toMatchObject({
      question: 'shared',
      personName: 'Grace',
    });
    expect(await shared.find(scopeOf('adminKey'), share?.id ?? '')).toBeNull();
    await shared.unshare(scopeOf('member'), id);
    expect(await shared.find(scopeOf('owner'), share?.id ?? '')).toBeNull();
  });

  it('ends with its person, and opens again when the person is activated', async () => {
    const shared = new SharedConversationRepository(dataSource);
    const leaver = await person('member', 'Lea');
    const { personId } = leaver.reader ?? { personId: '' };
    await ask(leaver, 'of a leaver', 'q');
    const [own] = await conversations.findAll(leaver, 'of a leaver');
    const { id = '' } = (await shared.share(leaver, own?.conversation.id ?? '')) ?? {};
    const opens = async (name: string) => (await shared.find(scopeOf(name), id)) !== null;
    for (const disabledAt of [null, new Date(), null]) {
      await dataSource.manager.update(PersonEntity, { id: personId }, { disabledAt });
      for (const name of ['owner', 'member']) expect(await opens(name)).toBe(disabledAt === null);
    }
    await dataSource.manager.delete(PersonEntity, { id: personId });
    expect(await opens('owner')).toBe(false);
  });
});
