import type { Group, GroupMember, OrganizationSettings, Person, PersonWithToken, Role } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client, request } from '../../client.js';

const PAGE = 100;

/** All people of the organization, newest first. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: (): Promise<Person[]> => Array.fromAsync(client.people.list({ limit: PAGE })),
});

export const ROLES = ['member', 'editor', 'owner'] as const satisfies Role[];

/**
 * Where the person chooses a password, and reads who invites. The part after `#` is not sent to the server.
 *
 * @param origin of the server, as the person reaches it
 * @param inviter null: without a name
 */
export function linkOf(
  { token, email }: PersonWithToken,
  origin: string,
  { organization, inviter }: { organization: string; inviter: string | null },
): string {
  const names = { email: email ?? '', organization, ...(inviter !== null && { inviter }) };
  return `${origin}/#invite=${token}&${new URLSearchParams(names).toString()}`;
}

/** Whether the person is the only owner who has signed in. The server keeps this one. */
export function isLastOwner({ id, role, lastSignInAt }: Person, people: readonly Person[]): boolean {
  if (role !== 'owner' || lastSignInAt === null) return false;
  return !people.some((other) => other.id !== id && other.role === 'owner' && other.lastSignInAt !== null);
}

export const groupsQuery = queryOptions({ queryKey: ['groups'], queryFn: () => all<Group>('/groups') });

export const membersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['groups', groupId, 'members'],
    queryFn: () => all<GroupMember>(`/groups/${groupId}/members`),
  });

/** All pages of a list, newest first. */
async function all<Item extends { id: string }>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ;) {
    const page = await request<Item[]>('GET', `${path}?limit=${PAGE}${cursor}`);
    items.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return items;
    cursor = `&cursor=${last.id}`;
  }
}

/** Changes settings of the organization. */
export const changeOrganization = (
  changes: Partial<Pick<OrganizationSettings, 'name' | 'ownersReadConversations' | 'weeklyGapMail'>>,
): Promise<OrganizationSettings> => request('PATCH', '/organization', changes);

/** Whether only this machine reaches the address of the page. */
export function isOnlyHere(): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(location.hostname);
}

/** The name of an organization to which nobody has given one. */
export const UNNAMED = 'default';
