import { type Agent, type Citewell, type Datasource, type Datastore, NotFoundError } from '@citewell/sdk';
import { inOneLine } from './terminal/output.js';
import { UsageError } from './describe-error.js';

const MAX_SHOWN_NAMES = 5;

export interface NamedItem {
  id: string;
  name: string;
}

/** A resource of the API whose items have an id and a name. */
export interface NamedCollection<Item extends NamedItem> {
  /** For messages: `datasource`, `datastore` or `agent`. */
  kind: string;
  get(id: string): Promise<Item>;
  list(): AsyncIterable<Item>;
  remove(id: string): Promise<Item>;
}

/**
 * Finds an item by its id or its name.
 *
 * @returns null if there is none
 * @throws {@link UsageError} if several items have this name
 */
export async function findByIdOrName<Item extends NamedItem>(
  collection: NamedCollection<Item>,
  idOrName: string,
): Promise<Item | null> {
  try {
    return await collection.get(idOrName);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const found: Item[] = [];
  for await (const item of collection.list()) if (item.name === idOrName) found.push(item);
  if (found.length > 1)
    throw new UsageError(
      `Several ${collection.kind}s have the name "${idOrName}". Use an id: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return found[0] ?? null;
}

/** Like {@link findByIdOrName}. @throws {@link UsageError} also if there is no such item */
export async function requireByIdOrName<Item extends NamedItem>(
  collection: NamedCollection<Item>,
  idOrName: string,
): Promise<Item> {
  const item = await findByIdOrName(collection, idOrName);
  if (!item)
    throw new UsageError(
      `There is no ${collection.kind} "${idOrName}". List them with "citewell ls ${collection.kind}s".`,
    );
  return item;
}

/**
 * Returns the item of a collection that has only one.
 *
 * @returns null if the collection is empty
 * @throws {@link UsageError} if the collection has several items
 */
export async function findOnlyItem<Item extends NamedItem>({
  kind,
  list,
}: NamedCollection<Item>): Promise<Item | null> {
  const names: string[] = [];
  let onlyItem: Item | null = null;
  for await (const item of list()) {
    onlyItem = item;
    names.push(`"${inOneLine(item.name, 60)}"`);
    if (names.length > MAX_SHOWN_NAMES) break;
  }
  if (names.length <= 1) return onlyItem;
  const more = names.length > MAX_SHOWN_NAMES ? ', …' : '';
  const shown = names.slice(0, MAX_SHOWN_NAMES).join(', ');
  throw new UsageError(`There are several ${kind}s: ${shown}${more}. Choose one with --${kind}.`);
}

export function agentsOf({ agents }: Citewell): NamedCollection<Agent> {
  return {
    kind: 'agent',
    get: (id) => agents.get(id),
    list: () => agents.list({ limit: 100 }),
    remove: (id) => agents.delete(id),
  };
}

export function datastoresOf({ datastores }: Citewell): NamedCollection<Datastore> {
  return {
    kind: 'datastore',
    get: (id) => datastores.get(id),
    list: () => datastores.list({ limit: 100 }),
    remove: (id) => datastores.delete(id),
  };
}

/** All datasources except the pages of web sites and the files of archives. */
export function datasourcesOf({ datasources }: Citewell): NamedCollection<Datasource> {
  return {
    kind: 'datasource',
    get: (id) => datasources.get(id),
    list: () => datasources.list({ limit: 100 }),
    remove: (id) => datasources.delete(id),
  };
}

/** The datastore with an id or a name, or the only one. @param create creates it if none has this name */
export async function chooseDatastore(
  client: Citewell,
  idOrName: string | undefined,
  create: boolean,
): Promise<Datastore> {
  const datastores = datastoresOf(client);
  if (idOrName === undefined) {
    const onlyDatastore = await findOnlyItem(datastores);
    if (onlyDatastore) return onlyDatastore;
    throw new UsageError('There is no datastore yet. Create one with --datastore <name> --create.');
  }
  if (!create) return requireByIdOrName(datastores, idOrName);
  return (await findByIdOrName(datastores, idOrName)) ?? client.datastores.create({ name: idOrName });
}
