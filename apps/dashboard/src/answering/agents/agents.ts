import type { Agent } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const PAGE = 100;

/** All agents, newest first. */
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: (): Promise<Agent[]> => Array.fromAsync(client.agents.list({ limit: PAGE })),
});

export const agentQuery = (id: string) =>
  queryOptions({ queryKey: ['agents', id], queryFn: () => client.agents.get(id) });

/** The choices of a select. Agents with the same name also show when they were created. */
export function agentOptions(
  agents: readonly Pick<Agent, 'id' | 'name' | 'timestamps'>[],
  time: (instant: string) => string,
): { value: string; label: string }[] {
  const names = agents.map(({ name }) => name);
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  return agents.map(({ id, name, timestamps }) => ({
    value: id,
    label: isUnique(name) ? name : `${name} · ${time(timestamps.createdAt)}`,
  }));
}
