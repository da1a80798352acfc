import { type CreateAgent, conversationWithMessagesSchema } from '@citewell/contracts/schemas';
import { Citewell, type ResumableAnswerEvent } from '@citewell/sdk';
import type { ChatReply } from '@citewell/testing';
import type { ModelFixture } from '../../deployments/model.deployment.js';

export const WORDS = Array.from({ length: 30 }, (_, index) => `${index} word `).concat('end');
export const TEXT = WORDS.join('');
/** Slow enough to come back to. */
export const SLOWLY: Partial<ChatReply> = { delayMs: 100 };
/** Half of an answer, then nothing. */
export const HALF = { deltas: ['Two years [1],', ' at least'], end: 'hang' } as const;
export const HALF_TEXT = 'Two years [1], at least';

/** @param agent fields of the agents that `bicycles` creates */
export function answering(
  fixture: () => Pick<ModelFixture, 'deployment' | 'model' | 'tenant'>,
  agent: Partial<CreateAgent> = {},
) {
  const nextReply = (deltas: readonly string[], more: Partial<ChatReply> = {}): void =>
    fixture().model.next({ kind: 'chat', deltas, ...more });
  const clientOf = (origin: string) =>
    new Citewell({ baseUrl: `${origin}/api`, apiKey: fixture().tenant.api.key ?? '' });
  const client = () => clientOf(fixture().deployment.origin);

  /** An agent with a document about bicycles. */
  async function bicycles(): Promise<string> {
    const { tenant } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, 'Bicycles are guaranteed for two years.');
    return (await tenant.agent({ datastoreIds: [datastoreId], ...agent })).id;
  }
  /** Asks, reads the given number of pieces, and leaves. */
  async function leaveAfter(agentId: string, pieces: number) {
    const query = 'How long are bicycles guaranteed?';
    let ids = { conversationId: '', messageId: '' };
    let left = pieces;
    for await (const event of client().agents.streamResumable(agentId, { query })) {
      if (event.type === 'started') ids = event.start;
      else left -= 1;
      if (left <= 0) break;
    }
    return ids;
  }
  async function messagesOf(conversationId: string) {
    const { api } = fixture().tenant;
    const path = `/conversations/${conversationId}`;
    return (await api.get(path)).as(conversationWithMessagesSchema).messages;
  }
  const isFree = async (agentId: string): Promise<void> => {
    const { tenant } = fixture();
    // Two at once are the limit.
    await Promise.all([tenant.ask(agentId, 'One?'), tenant.ask(agentId, 'Two?')]);
  };
  return { nextReply, clientOf, client, bicycles, leaveAfter, messagesOf, isFree };
}

export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function startOf(event: ResumableAnswerEvent | void): { conversationId: string; messageId: string } {
  if (event?.type !== 'started') throw new Error('The stream did not begin with the ids');
  return event.start;
}
