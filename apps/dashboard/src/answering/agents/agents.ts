import type { Agent } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const AGENTS_PER_PAGE = 100;

/** All agents: first the one that answers from all libraries, then the others, newest first. */
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: async (): Promise<Agent[]> => {
    const [all, agents] = await Promise.all([
      client.agents.get('all'),
      Array.fromAsync(client.agents.list({ limit: AGENTS_PER_PAGE })),
    ]);
    return [all, ...agents.filter(({ id }) => id !== all.id)];
  },
});

export const agentQuery = (id: string) =>
  queryOptions({ queryKey: ['agents', id], queryFn: () => client.agents.get(id) });
