import type { Person, PersonWithToken, Role } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const PAGE = 100;

/** All people of the organization, newest first. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: (): Promise<Person[]> => Array.fromAsync(client.people.list({ limit: PAGE })),
});

export const ROLES = ['member', 'editor', 'owner'] as const satisfies Role[];

/** Where the person chooses a password. The part after `#` is not sent to the server. */
export function linkOf({ token, email }: PersonWithToken): string {
  return `${location.origin}/#invite=${token}&email=${encodeURIComponent(email ?? '')}`;
}

/** Whether the person is the only owner who has signed in. The server keeps this one. */
export function isLastOwner({ id, role, lastSignInAt }: Person, people: readonly Person[]): boolean {
  if (role !== 'owner' || lastSignInAt === null) return false;
  return !people.some((other) => other.id !== id && other.role === 'owner' && other.lastSignInAt !== null);
}
