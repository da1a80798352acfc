import type { Role, Source } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { type CallingKey, TenantScope } from '../connection/tenant-scope.js';
import { DatastoreRepository } from '../content/datastores/datastore.repository.js';
import { DatastoreReaderRepository } from '../content/readers/datastore-reader.repository.js';
import { outcomeOf, valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { ApiKeyEntity, PersonEntity } from '../schema/identity.entities.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository } from './conversation.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let conversations: ConversationRepository;
let tenant: TestTenant;
let agentId: string;
let owner: TenantScope;
let editor: TenantScope;
let key: TenantScope;
beforeAll(async () => {
  dataSource = await server.database();
  conversations = new ConversationRepository(dataSource);
});
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
  const { agent } = await new AgentRepository(dataSource).create(tenant.scope, { name: 'agent' }, []);
  agentId = agent.id;
  [owner, editor, key] = [await person('owner'), await person('editor'), await keyOf('other')];
});
afterAll(() => server.close());

async function person(role: Role): Promise<TenantScope> {
  const { organizationId } = tenant;
  const id = newId();
  await dataSource.manager.insert(PersonEntity, { id, organizationId, role });
  return new TenantScope(organizationId, { personId: id, role });
}

async function keyOf(kind: CallingKey['kind']): Promise<TenantScope> {
  const { organizationId } = tenant;
  const id = newId();
  const fields = { name: kind, prefix: 'cw_', hash: id, scopes: [] };
  await dataSource.manager.insert(ApiKeyEntity, { id, organizationId, ...fields });
  return new TenantScope(organizationId, null, { id, kind });
}

const CLOSED = { everyone: false, people: [], groups: [] };

/** A library with one document. */
async function library(readers?: typeof CLOSED): Promise<{ id: string; document: string }> {
  const datastores = new DatastoreRepository(dataSource);
  const { id } = valueOf(await datastores.create(tenant.scope, { name: 'L' }, readers));
  const { datasource } = await tenant.datasource({ datastoreId: id });
  return { id, document: datasource.id };
}

/** Asks a question, which is also the id of the conversation. */
async function ask(scope: TenantScope, text: string, ...documents: string[]): Promise<void> {
  const sources = documents.map((id) => ({ datasource_id: id }) as Source);
  const thread = { agentId, externalId: text, visitorId: 'visitor' };
  await conversations.append(scope, thread, {
    question: { id: newId(), text },
    answer: { id: newId(), text: 'answer', sources, abstained: false },
  });
}

const seen = async (scope: TenantScope): Promise<string[]> =>
  (await conversations.list(scope, { limit: 100 }, {})).map(({ question }) => question).toSorted();

describe('all conversations of a visitor', () => {
  const remove = (scope: TenantScope) => conversations.removeVisitor(scope, 'visitor');

  it('are removed by people as far as they may delete them', async () => {
    const [open, closed] = [await library(), await library(CLOSED)];
    await ask(key, 'of nothing');
    await ask(key, 'of open', open.document);
    await ask(key, 'of closed', closed.document);
    await ask(key, 'of both', open.document, closed.document);
    await ask(editor, 'own', closed.document);
    await ask(await person('member'), 'of another person');
    expect(await remove(await person('member'))).toEqual({ conversations: 0, messages: 0 });
    expect(await remove(editor)).toEqual({ conversations: 3, messages: 6 });
    expect(await seen(owner)).toEqual(['of both', 'of closed']);
    expect(await remove(owner)).toEqual({ conversations: 2, messages: 4 });
    expect(await seen(tenant.scope)).toEqual(['of another person']);
  });

  it.each(['admin', 'other'] as const)('are removed by a key (%s) if keys began them', async (kind) => {
    const closed = await library(CLOSED);
    await ask(key, 'of closed', closed.document);
    await ask(editor, 'of a person');
    expect(await remove(await keyOf(kind))).toEqual({ conversations: 1, messages: 2 });
    expect(await seen(editor)).toEqual(['of a person']);
  });
});

describe('an editor, after a library was deleted and purged', () => {
  async function purge({ id, document }: { id: string; document: string }): Promise<void> {
    await new DatastoreRepository(dataSource).markDeleted(owner, id);
    await dataSource.query('DELETE FROM datasources WHERE id = $1', [document]);
    await dataSource.query('DELETE FROM datastores WHERE id = $1', [id]);
  }

  const close = async ({ id }: { id: string }, everyone: boolean) =>
    valueOf(await new DatastoreReaderRepository(dataSource).replace(owner, id, { ...CLOSED, everyone }));

  it.each<[string, string[], () => Promise<{ id: string; document: string }>]>([
    ['that was closed from the beginning', ['of open'], () => library(CLOSED)],
    [
      'that was closed later',
      ['of open'],
      async () => {
        const own = await library();
        await close(own, false);
        return own;
      },
    ],
    [
      'that was closed and opened again',
      ['of open'],
      async () => {
        const own = await library(CLOSED);
        await close(own, true);
        return own;
      },
    ],
    [
      'for everyone, while another one is closed',
      ['of open'],
      async () => {
        await library(CLOSED);
        return library();
      },
    ],
    ['for everyone, as all have been', ['of open', 'of the library'], () => library()],
    [
      'for everyone, as was written again',
      ['of open', 'of the library'],
      async () => {
        const own = await library();
        await close(own, true);
        return own;
      },
    ],
  ])('%s, reads %j', async (_, expected, create) => {
    const [open, gone] = [await library(), await create()];
    await ask(key, 'of open', open.document);
    await ask(key, 'of the library', gone.document);
    await purge(gone);
    expect(await seen(editor)).toEqual(expected);
    expect(await seen(owner)).toEqual(['of open', 'of the library']);
  });

  it('reads what it read when choosing readers was refused', async () => {
    const [open, gone] = [await library(), await library()];
    const created = await new DatastoreRepository(dataSource).create(editor, { name: 'L' }, CLOSED);
    expect(outcomeOf(created)).toBe('caller-excluded');
    await ask(key, 'of both', open.document, gone.document);
    await purge(gone);
    expect(await seen(editor)).toEqual(['of both']);
  });
});
