import type { Agent } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';

const AGENTS_PER_PAGE = 100;

/** All agents, newest first. */
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: (): Promise<Agent[]> => Array.fromAsync(client.agents.list({ limit: AGENTS_PER_PAGE })),
});

export const agentQuery = (id: string) =>
  queryOptions({ queryKey: ['agents', id], queryFn: () => client.agents.get(id) });
