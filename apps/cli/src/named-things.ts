import { type Agent, type Citewell, CitewellError, type Datastore } from '@citewell/sdk';
import { UsageError } from './usage-error.js';

/** What `--datastore` and `--agent` may name. */
interface Named {
  id: string;
  name: string;
}

/** A kind of thing that can be fetched by its id and listed. */
export interface Shelf<Thing extends Named> {
  /** As in "There is no … called x". */
  kind: string;
  get(id: string): Promise<Thing>;
  list(): AsyncIterable<Thing>;
}

/**
 * Finds a thing by its id, or by its name where only one has it.
 *
 * @returns null when there is none
 * @throws {@link UsageError} when several have the name
 */
export async function findNamed<Thing extends Named>(
  shelf: Shelf<Thing>,
  idOrName: string,
): Promise<Thing | null> {
  try {
    return await shelf.get(idOrName);
  } catch (error) {
    if (!(error instanceof CitewellError) || error.code !== 'NOT_FOUND') throw error;
  }
  const found: Thing[] = [];
  for await (const thing of shelf.list()) if (thing.name === idOrName) found.push(thing);
  if (found.length > 1)
    throw new UsageError(
      `Several ${shelf.kind}s are called "${idOrName}": name one by its id (${found.map(({ id }) => id).join(', ')}).`,
    );
  return found[0] ?? null;
}

/** {@link findNamed}, for a thing that has to be there. @throws {@link UsageError} when there is none */
export async function requireNamed<Thing extends Named>(
  shelf: Shelf<Thing>,
  idOrName: string,
): Promise<Thing> {
  const thing = await findNamed(shelf, idOrName);
  if (!thing)
    throw new UsageError(`There is no ${shelf.kind} "${idOrName}": see citewell ls ${shelf.kind}s.`);
  return thing;
}

/**
 * The only one that there is.
 *
 * @returns null when there is none
 * @throws {@link UsageError} when there are several, saying how to choose
 */
export async function onlyOne<Thing extends Named>({ kind, list }: Shelf<Thing>): Promise<Thing | null> {
  let only: Thing | null = null;
  for await (const thing of list()) {
    if (only) throw new UsageError(`There are several ${kind}s: choose one with --${kind}.`);
    only = thing;
  }
  return only;
}

export function agentsOf({ agents }: Citewell): Shelf<Agent> {
  return { kind: 'agent', get: (id) => agents.get(id), list: () => agents.list({ limit: 100 }) };
}

export function datastoresOf({ datastores }: Citewell): Shelf<Datastore> {
  return { kind: 'datastore', get: (id) => datastores.get(id), list: () => datastores.list({ limit: 100 }) };
}
