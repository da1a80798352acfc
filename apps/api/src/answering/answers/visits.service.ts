import type { AgentQuery } from '@citewell/contracts/schemas';
import {
  ConversationRepository,
  describeKey,
  generateKey,
  newId,
  type TenantScope,
  UsageRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid, unwrap } from '../../http/api-error.js';
import type { Caller } from '../../http/caller.js';
import { clientNetwork } from '../../http/client-network.js';
import type { Visitor } from './answer-limits.service.js';

/** The fields of a query that a visitor may set. All others would change what the agent does. */
const VISITOR_FIELDS: ReadonlySet<string> = new Set([
  'query',
  'conversationId',
  'visitorId',
  'visitorToken',
  'streaming',
  'resumable',
]);
const SECONDS_PER_DAY = 86_400;

/** A query that was sent with a publishable key. */
export interface Visit {
  /** The query, with the ids of a conversation and of its visitor that are the visitor's own, or new. */
  query: AgentQuery;
  /** With which the visitor can continue the conversation. */
  token: string;
  visitor: Visitor;
}

/** Admits the queries of visitors, who send a publishable key. */
@Injectable()
export class Visits {
  constructor(
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(UsageRepository) private readonly usage: UsageRepository,
  ) {}

  /**
   * Counts the query, and finds its conversation or chooses the id of a new one. Only the token proves who the visitor is:
   * ids that come without it are replaced.
   *
   * @param address of the client
   * @throws {@link ApiError} `INVALID_REQUEST` for a field that visitors may not set, `RATE_LIMIT` at the limit of the day
   */
  async admit(
    { tenant, keyId }: Caller,
    agentId: string,
    query: AgentQuery,
    address: string,
  ): Promise<Visit> {
    for (const [field, value] of Object.entries(query))
      if (value !== undefined && value !== null && !VISITOR_FIELDS.has(field))
        throw invalid(field, 'cannot be set with a publishable key');
    unwrap(await this.usage.countMessage(tenant, keyId), {
      'limit-reached': () =>
        new ApiError('RATE_LIMIT', 'No more questions can be asked today. Ask again tomorrow.', {
          retryAfterSeconds: SECONDS_PER_DAY - (Math.floor(Date.now() / 1_000) % SECONDS_PER_DAY),
        }),
    });
    const visitor = { keyId, network: clientNetwork(address) };
    const { conversationId, visitorToken: token } = query;
    if (conversationId !== undefined && token) {
      const visitorId = await this.visitorOf(tenant, agentId, conversationId, token);
      if (visitorId !== null) return { query: { ...query, visitorId }, token, visitor };
    }
    const ids = { conversationId: newId(), visitorId: newId() };
    return { query: { ...query, ...ids }, token: generateKey(), visitor };
  }

  /** @returns the visitor of the conversation with which the token was returned; null for another token */
  private async visitorOf(
    tenant: TenantScope,
    agentId: string,
    conversationId: string,
    token: string,
  ): Promise<string | null> {
    const known = await this.conversations.find(tenant, agentId, conversationId);
    // The token has 190 random bits, so a comparison of hashes needs no constant time.
    return known.ok && known.value?.visitorTokenHash === hashOfToken(token) ? known.value.visitorId : null;
  }
}

/** What is stored of a visitor token. */
export function hashOfToken(token: string): string {
  return describeKey(token).hash;
}
