import type { Datastore, ListedDatastore, PossibleReaders, Readers, SetReaders } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.js';

/** A person or a group that reads a library. */
export interface ChosenReader {
  kind: 'person' | 'group';
  id: string;
  /** Null: neither name nor e-mail. */
  name: string | null;
  /** Of a person with a name. */
  email: string | null;
}

/** What is chosen in a form. */
export interface ReaderChoice {
  everyone: boolean;
  chosen: readonly ChosenReader[];
}

export const readersQuery = (datastoreId: string) =>
  queryOptions({
    queryKey: ['readers', datastoreId],
    queryFn: () => request<Readers>('GET', `/datastores/${datastoreId}/readers`),
  });

export const possibleReadersQuery = (search: string) =>
  queryOptions({
    queryKey: ['possible-readers', search],
    queryFn: () => request<PossibleReaders>('GET', `/readers?search=${encodeURIComponent(search)}`),
  });

/** Groups first. */
export function chosenOf({ people, groups }: PossibleReaders): ChosenReader[] {
  return [
    ...groups.map(({ id, name }) => ({ kind: 'group' as const, id, name, email: null })),
    ...people.map(({ id, name, email }) => ({
      kind: 'person' as const,
      id,
      name: name ?? email,
      email: name === null ? null : email,
    })),
  ];
}

export function toSetReaders({ everyone, chosen }: ReaderChoice): SetReaders {
  const idsOf = (kind: ChosenReader['kind']): string[] =>
    everyone ? [] : chosen.filter((reader) => reader.kind === kind).map(({ id }) => id);
  return { everyone, people: idsOf('person'), groups: idsOf('group') };
}

/** Whether a library is for chosen people and groups only. */
export const isRestricted = ({ readers }: Pick<Datastore | ListedDatastore, 'readers'>): boolean =>
  readers === 'chosen';
