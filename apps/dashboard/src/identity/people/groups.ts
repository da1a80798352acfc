import type { Group, GroupMember } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.js';

const PAGE = 100;

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
