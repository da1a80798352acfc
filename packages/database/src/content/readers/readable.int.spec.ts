import assert from 'node:assert/strict';
import { type Role, ROLES } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../../answering/agent.repository.js';
import { ConversationRepository } from '../../answering/conversation.repository.js';
import { newId } from '../../connection/new-id.js';
import { refuse } from '../../connection/result.js';
import { TenantScope } from '../../connection/tenant-scope.js';
import { EvaluationRepository } from '../../evaluation/evaluation.repository.js';
import { Random } from '../../fixtures/random.fixtures.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { GroupRepository } from '../../identity/people/group.repository.js';
import { PersonRepository } from '../../identity/people/person.repository.js';
import { UsageRepository } from '../../tenancy/usage.repository.js';
import { PassageRepository } from '../datasources/passage.repository.js';
import { DatastoreRepository } from '../datastores/datastore.repository.js';
import { DatastoreReaderRepository } from './datastore-reader.repository.js';

const server = new TestServer();
let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());

interface Library {
  id: string;
  name: string;
  datasourceId: string;
  everyone: boolean;
  people: string[];
  groups: string[];
}

/** Who may read what, as sets in memory. */
interface Graph {
  tenant: TestTenant;
  people: Map<string, Role>;
  members: Map<string, Set<string>>;
  libraries: Library[];
  agents: { id: string; libraries: string[] }[];
  evaluations: { id: string; libraries: string[] }[];
  /** Of nobody. */
  conversations: { id: string; libraries: string[] }[];
}

/** The rule in TypeScript. */
function mayRead({ people, members }: Graph, person: string, library: Library): boolean {
  if (people.get(person) === 'owner' || library.everyone) return true;
  const groups = [...members].filter(([, ids]) => ids.has(person)).map(([group]) => group);
  return library.people.includes(person) || library.groups.some((group) => groups.includes(group));
}

async function invited(tenant: TestTenant, role: Role): Promise<string> {
  const link = { linkHash: newId(), linkExpiresAt: new Date(Date.now() + 60_000) };
  const email = `${newId()}@example.com`;
  return valueOf(await new PersonRepository(dataSource).invite(tenant.scope, { email, role, ...link })).id;
}

async function randomGraph(random: Random): Promise<Graph> {
  const tenant = await TestTenant.create(dataSource);
  const { scope } = tenant;
  await new DatastoreRepository(dataSource).markDeleted(scope, tenant.datastoreId);
  const graph: Graph = {
    tenant,
    people: new Map(),
    members: new Map(),
    libraries: [],
    agents: [],
    evaluations: [],
    conversations: [],
  };
  for (let index = 0; index < 5; index += 1) {
    const role = ROLES[random.below(ROLES.length)] ?? 'member';
    graph.people.set(await invited(tenant, role), role);
  }
  const groups = new GroupRepository(dataSource);
  for (let index = 0; index < 4; index += 1) {
    const { id } = valueOf(await groups.create(scope, { name: `Group ${index}` })).group;
    const members = random.some([...graph.people.keys()], 0.4);
    for (const member of members) await groups.addMember(scope, id, member);
    graph.members.set(id, new Set(members));
  }
  for (let index = 0; index < 8; index += 1) {
    const everyone = random.below(4) === 0;
    const readers = {
      everyone,
      people: everyone ? [] : random.some([...graph.people.keys()], 0.25),
      groups: everyone ? [] : random.some([...graph.members.keys()], 0.25),
    };
    // Several libraries have one name.
    const name = `Library ${index % 3}`;
    const { id } = valueOf(await new DatastoreRepository(dataSource).create(scope, { name }, readers));
    const { datasource } = await tenant.datasource({ datastoreId: id, customId: 'custom', name });
    await tenant.serve(datasource.id);
    graph.libraries.push({ id, name, datasourceId: datasource.id, ...readers });
  }
  for (let index = 0; index < 3; index += 1) {
    const libraries = random.some(graph.libraries, 0.5).map(({ id }) => id);
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'agent' }, libraries);
    graph.agents.push({ id: agent.id, libraries });
    const fields = { name: 'e', configuration: { agentId: agent.id }, baseline: null, questions: [] };
    const evaluations = new EvaluationRepository(dataSource);
    const datastoreIds = libraries.slice(0, 2);
    const id = valueOf(await evaluations.create(scope, { ...fields, datastoreIds }, 9));
    await evaluations.addDatastores(id, libraries);
    graph.evaluations.push({ id, libraries });
    const cited = graph.libraries.filter((library) => libraries.includes(library.id)).slice(0, 2);
    const sources = cited.map(({ datasourceId }) => ({ datasource_id: datasourceId }) as never);
    const thread = { agentId: agent.id, externalId: id, visitorId: 'v' };
    await new ConversationRepository(dataSource).append(scope, thread, {
      question: { id: newId(), text: 'q' },
      answer: { id: newId(), text: 'a', sources, abstained: false },
    });
    graph.conversations.push({ id, libraries: cited.map((library) => library.id) });
  }
  return graph;
}

/** What a person gets from all methods, and what the person should get. */
async function compare(graph: Graph, person: string): Promise<void> {
  const { tenant, libraries } = graph;
  const scope = new TenantScope(tenant.organizationId, {
    personId: person,
    role: graph.people.get(person) ?? 'member',
  });
  const all = libraries.map(({ id }) => id);
  const readable = libraries.filter((library) => mayRead(graph, person, library));
  const ids = readable.map(({ id }) => id);
  const datasourceIds = readable.map(({ datasourceId }) => datasourceId);
  const allDatasources = libraries.map(({ datasourceId }) => datasourceId);
  const datastores = new DatastoreRepository(dataSource);
  const passages = new PassageRepository(dataSource);
  const agents = new AgentRepository(dataSource);
  const sorted = (items: Iterable<string>): string[] => [...items].toSorted();

  expect((await datastores.list(scope, { limit: 100 })).map(({ id }) => id)).toEqual(ids.toReversed());
  const first = await datastores.list(scope, { limit: 2 });
  const second = await datastores.list(scope, { limit: 100, cursor: first.at(-1)?.id });
  expect([...first, ...(first.length < 2 ? [] : second)].map(({ id }) => id)).toEqual(ids.toReversed());
  expect(sorted((await datastores.findMany(scope, all)).map(({ id }) => id))).toEqual(sorted(ids));
  expect((await datastores.findByName(scope, 'Library 1', 9)).length).toBe(
    readable.filter(({ name }) => name === 'Library 1').length,
  );
  expect(sorted((await datastores.countDatasources(scope, all)).keys())).toEqual(sorted(ids));
  expect(sorted((await passages.visible(scope, all, allDatasources)).keys())).toEqual(sorted(datasourceIds));
  expect(sorted((await passages.newest(scope, all, undefined, 99)).map((run) => run.datasourceId))).toEqual(
    sorted(datasourceIds),
  );
  expect(sorted(await passages.visibleIds(scope, all))).toEqual(sorted(datasourceIds));
  expect(await passages.visibleIds(scope, all, datasourceIds.slice(0, 1))).toEqual(datasourceIds.slice(0, 1));
  expect(await passages.spaces(scope, all)).toHaveLength(ids.length > 0 ? 1 : 0);
  expect(sorted((await passages.counts(scope, all)).map(({ datastoreId }) => datastoreId))).toEqual(
    sorted(ids),
  );
  const listed = await tenant.datasources.list(scope, {}, { limit: 100 });
  expect(listed.map(({ datasource }) => datasource.id)).toEqual(datasourceIds.toReversed());
  expect(sorted(await tenant.datasources.idsByCustomId(scope, all, ['custom']))).toEqual(
    sorted(datasourceIds),
  );
  expect(sorted(await tenant.datasources.knownNames(scope, all, allDatasources))).toEqual(
    sorted(datasourceIds),
  );
  expect(sorted(await tenant.datasources.readableIds(scope, allDatasources))).toEqual(sorted(datasourceIds));
  expect((await new UsageRepository(dataSource).report(scope)).storedCharacters.used).toBe(100 * ids.length);
  for (const library of libraries) {
    const { id, datasourceId } = library;
    const isReadable = ids.includes(id);
    expect((await datastores.find(scope, id)) !== null).toBe(isReadable);
    expect(Object.keys((await datastores.progress(scope, id)).counts).length > 0).toBe(isReadable);
    expect((await new DatastoreReaderRepository(dataSource).find(scope, id)) !== null).toBe(isReadable);
    expect((await tenant.datasources.find(scope, datasourceId)) !== null).toBe(isReadable);
    expect((await tenant.datasources.runs(scope, datasourceId, { limit: 9 })).length > 0).toBe(isReadable);
    expect((await tenant.datasources.list(scope, { datastoreId: id }, { limit: 9 })).length > 0).toBe(
      isReadable,
    );
    if (isReadable) continue;
    // What one may not read cannot be changed.
    expect(await datastores.update(scope, id, { name: 'x' })).toBeNull();
    expect(await datastores.markDeleted(scope, id)).toBeNull();
    expect(await tenant.datasources.update(scope, datasourceId, () => ({ name: 'x' }))).toBeNull();
    expect(await tenant.datasources.sync(scope, datasourceId)).toBeNull();
    expect(await tenant.datasources.markDeleted(scope, datasourceId)).toBeNull();
    const everyone = { everyone: true, people: [], groups: [] };
    expect(outcomeOf(await new DatastoreReaderRepository(dataSource).replace(scope, id, everyone))).toBe(
      'not-found',
    );
  }
  for (const { id, libraries: searched } of graph.agents) {
    const seen = searched.filter((one) => ids.includes(one));
    expect((await agents.find(scope, id))?.datastoreIds).toEqual(seen);
    expect((await datastores.ofAgent(scope, id)).map((one) => one.id)).toEqual(seen);
    expect(await agents.hasUnreadable(scope, id)).toBe(seen.length < searched.length);
  }
  const everything = await agents.ofAll(scope);
  expect(everything.datastoreIds).toEqual(ids);
  expect((await datastores.ofAgent(scope, everything.agent.id)).map(({ id }) => id)).toEqual(ids);
  const conversations = await new ConversationRepository(dataSource).list(scope, { limit: 99 }, {});
  expect(sorted(conversations.map(({ conversation }) => conversation.externalId))).toEqual(
    sorted(
      graph.conversations
        .filter((one) => scope.reader?.role !== 'member' && one.libraries.every((id) => ids.includes(id)))
        .map(({ id }) => id),
    ),
  );
  const evaluations = await new EvaluationRepository(dataSource).list(scope, { limit: 99 });
  expect(sorted(evaluations.map(({ id }) => id))).toEqual(
    sorted(
      graph.evaluations.filter((one) => one.libraries.every((id) => ids.includes(id))).map(({ id }) => id),
    ),
  );
}

async function compareAll(graph: Graph): Promise<void> {
  for (const person of graph.people.keys()) await compare(graph, person);
}

describe('what a person may read', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('equals a naive function in random graph %i', async (seed) => {
    const random = new Random(seed);
    const graph = await randomGraph(random);
    await compareAll(graph);

    // Somebody leaves a group, a group and a person are removed, and roles and readers change.
    const { scope } = graph.tenant;
    const groups = new GroupRepository(dataSource);
    const people = new PersonRepository(dataSource);
    for (const [group, members] of graph.members)
      for (const person of random.some([...members], 0.3)) {
        await groups.removeMember(scope, group, person);
        members.delete(person);
      }
    const [goneGroup] = graph.members.keys();
    await groups.remove(scope, goneGroup ?? '');
    graph.members.delete(goneGroup ?? '');
    const [gonePerson, changed] = graph.people.keys();
    await people.remove(scope, gonePerson ?? '');
    graph.people.delete(gonePerson ?? '');
    await people.changeRole(scope, changed ?? '', 'member');
    graph.people.set(changed ?? '', 'member');
    const [rewritten] = graph.libraries;
    assert.ok(rewritten);
    Object.assign(rewritten, { everyone: false, people: [], groups: [] });
    const readers = { everyone: false, people: [], groups: [] };
    await new DatastoreReaderRepository(dataSource).replace(scope, rewritten.id, readers);
    await compareAll(graph);
  });

  it('is everything for callers without a person', async () => {
    const graph = await randomGraph(new Random(9));
    const listed = await new DatastoreRepository(dataSource).list(graph.tenant.scope, { limit: 99 });
    expect(listed).toHaveLength(graph.libraries.length);
  });

  it('does not widen when the last reader goes', async () => {
    const tenant = await TestTenant.create(dataSource);
    const groups = new GroupRepository(dataSource);
    const { id: groupId } = valueOf(await groups.create(tenant.scope, { name: 'Only' })).group;
    const readers = { everyone: false, people: [], groups: [groupId] };
    const repository = new DatastoreRepository(dataSource);
    const { id } = valueOf(await repository.create(tenant.scope, { name: 'L' }, readers));
    await groups.remove(tenant.scope, groupId);
    const personId = await invited(tenant, 'editor');
    const editor = new TenantScope(tenant.organizationId, { personId, role: 'editor' });
    expect(await repository.find(editor, id)).toBeNull();
    expect(await new DatastoreReaderRepository(dataSource).find(tenant.scope, id)).toEqual({
      everyone: false,
      people: [],
      groups: [],
    });
  });
});

describe('readers', () => {
  it('are of the organization, and have the editor who chooses them', async () => {
    const tenant = await TestTenant.create(dataSource);
    const stranger = await TestTenant.create(dataSource);
    const personId = await invited(tenant, 'editor');
    const foreign = await invited(stranger, 'member');
    const editor = new TenantScope(tenant.organizationId, { personId, role: 'editor' });
    const readers = new DatastoreReaderRepository(dataSource);
    const write = (people: string[], groups: string[] = []) =>
      readers.replace(editor, tenant.datastoreId, { everyone: false, people, groups });
    expect(await write([personId, foreign])).toEqual(refuse('unknown-people', [foreign]));
    expect(await write([personId], ['x', foreign])).toEqual(refuse('unknown-groups', ['x', foreign]));
    expect(await write([])).toEqual(refuse('caller-excluded'));
    expect((await readers.find(editor, tenant.datastoreId))?.everyone).toBe(true);
    expect(outcomeOf(await write([personId, personId.toUpperCase()]))).toBe('done');
    expect((await readers.find(editor, tenant.datastoreId))?.people.map(({ id }) => id)).toEqual([personId]);
    const none = { everyone: false, people: [], groups: [] };
    const created = await new DatastoreRepository(dataSource).create(editor, { name: 'New' }, none);
    expect(outcomeOf(created)).toBe('caller-excluded');
    expect(await new DatastoreRepository(dataSource).list(editor, { limit: 9 })).toHaveLength(1);
  });

  it.each([
    ['ADA', 'Ada_B%'],
    ['_b%', 'Ada_B%'],
    ['@', null],
    ['\\', null],
    ['straße', 'Straße'],
  ])('are found by a part of the name: %s', async (text, found) => {
    const tenant = await TestTenant.create(dataSource);
    for (const name of ['Ada_B%', 'AdaxBy', 'Straße'])
      await new GroupRepository(dataSource).create(tenant.scope, { name });
    const { groups } = await new DatastoreReaderRepository(dataSource).search(tenant.scope, text, 9);
    const names = groups.map(({ name }) => name);
    if (found === null) expect(names).toEqual([]);
    else expect(names).toContain(found);
  });
});

it('there is one agent of all datastores, also if many ask at once', async () => {
  const { scope } = await TestTenant.create(dataSource);
  const agents = new AgentRepository(dataSource);
  const first = await Promise.all(Array.from({ length: 8 }, () => agents.ofAll(scope)));
  expect(new Set(first.map(({ agent }) => agent.id)).size).toBe(1);
});

it('a change of an agent keeps the datastores that the person may not read', async () => {
  const tenant = await TestTenant.create(dataSource);
  const personId = await invited(tenant, 'editor');
  const editor = new TenantScope(tenant.organizationId, { personId, role: 'editor' });
  const datastores = new DatastoreRepository(dataSource);
  const none = { everyone: false, people: [], groups: [] };
  const { id: hidden } = valueOf(await datastores.create(tenant.scope, { name: 'hidden' }, none));
  const { id: other } = valueOf(await datastores.create(tenant.scope, { name: 'other' }));
  const agents = new AgentRepository(dataSource);
  const { agent } = await agents.create(tenant.scope, { name: 'a' }, [hidden, tenant.datastoreId]);
  expect((await agents.update(editor, agent.id, {}, [other]))?.datastoreIds).toEqual([other]);
  expect((await agents.find(tenant.scope, agent.id))?.datastoreIds).toEqual([other, hidden]);
  expect((await agents.update(editor, agent.id, {}, []))?.datastoreIds).toEqual([]);
  expect((await agents.find(tenant.scope, agent.id))?.datastoreIds).toEqual([hidden]);
  expect((await agents.update(tenant.scope, agent.id, {}, []))?.datastoreIds).toEqual([]);
});
