import { AccessDeniedError, type Agent, type Citewell, type CreateAgent } from '@citewell/sdk';
import { describe, expect, it } from '@jest/globals';
import { bestPassages, chooseAgent, chooseDatastores } from './choose-agent.js';

const STORES = [
  { id: 's2', name: 'New' },
  { id: 's1', name: 'Papers' },
];

const ALL = { id: 'all', name: 'All documents', allDatastores: true };

/** A client whose lists are newest first, as those of the service. */
function clientWith(
  agents: readonly { id: string; allDatastores: boolean; datastoreIds: string[] }[],
  { mayCreate = true, stores = STORES } = {},
): { client: Citewell; created: CreateAgent[] } {
  const created: CreateAgent[] = [];
  async function* listed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
    yield* items;
  }
  const found = (items: readonly { id: string }[]) => async (id: string) =>
    items.find((item) => item.id === id);
  const client = {
    datastores: { list: () => listed(stores), get: found(stores) },
    agents: {
      list: () => listed(agents),
      get: found([...agents, { ...ALL, datastoreIds: stores.map(({ id }) => id) }]),
      create: async (agent: CreateAgent) => {
        if (!mayCreate) throw new AccessDeniedError('FORBIDDEN', 'No.');
        created.push(agent);
        return { id: 'created', ...agent };
      },
    },
  };
  // The function uses no other methods.
  return { client: client as unknown as Citewell, created };
}

const agent = (id: string, ...datastoreIds: string[]) => ({
  id,
  name: id,
  allDatastores: false,
  datastoreIds,
});
const chosen = async (
  client: Citewell,
  options: { agent?: string; datastore?: string } = {},
): Promise<string> => {
  const found: Agent = await chooseAgent(client, {
    agent: options.agent,
    datastore: options.datastore,
  });
  return found.id;
};

describe('chooseAgent', () => {
  it.each([
    ['the agent that is named', [agent('a', 's1')], { agent: 'a' }, 'a'],
    [
      'the agent that searches only the datastore',
      [agent('both', 's1', 's2'), agent('own', 's1')],
      { datastore: 's1' },
      'own',
    ],
    [
      'the older of two such agents',
      [agent('later', 's1'), agent('first', 's1')],
      { datastore: 's1' },
      'first',
    ],
    [
      'a new agent if others search it together with more',
      [agent('both', 's1', 's2')],
      { datastore: 's1' },
      'created',
    ],
    [
      'a new agent if only the one of all datastores searches it',
      [{ ...ALL, datastoreIds: ['s1'] }],
      { datastore: 's1' },
      'created',
    ],
    ['the agent of all datastores', [agent('own', 's2')], {}, 'all'],
  ])('chooses %s', async (_, agents, options, id) => {
    const { client, created } = clientWith(agents);
    expect(await chosen(client, options)).toBe(id);
    expect(created).toEqual(id === 'created' ? [{ name: 'Papers', datastoreIds: ['s1'] }] : []);
  });

  it('says what to do without datastores, and with a key that may not create agents', async () => {
    await expect(chosen(clientWith([], { stores: [] }).client)).rejects.toThrow('Add a file');
    await expect(chosen(clientWith([], { mayCreate: false }).client, { datastore: 's1' })).rejects.toThrow(
      'Use --passages',
    );
  });
});

describe('chooseDatastores', () => {
  it('chooses the named one, or all', async () => {
    const { client } = clientWith([]);
    expect(await chooseDatastores(client, 's1')).toEqual([STORES[1]]);
    expect(await chooseDatastores(client, undefined)).toEqual(STORES);
    await expect(chooseDatastores(clientWith([], { stores: [] }).client, undefined)).rejects.toThrow(
      'Add a file',
    );
  });
});

it('lists the best passages of all datastores, as many as one returns', async () => {
  const scores: Record<string, number[]> = { s2: [0.4, 0.1], s1: [0.9, 0.3] };
  const query = async (id: string) => scores[id]?.map((score) => ({ text: `${id} ${score}`, score }));
  const client = { datastores: { query } } as unknown as Citewell;
  const stores = await chooseDatastores(clientWith([]).client, undefined);
  const best = await bestPassages(client, stores, { query: 'q' });
  expect(best.map(({ text }) => text)).toEqual(['s1 0.9', 's2 0.4']);
});
