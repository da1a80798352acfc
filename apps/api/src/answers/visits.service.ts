import type { AgentQuery } from '@citewell/contracts/http';
import {
  ConversationRepository,
  describeKey,
  generateKey,
  newId,
  type TenantScope,
  UsageRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../http/api-error.js';
import type { Caller } from '../http/caller.js';

/** The fields of a query that a visitor may set. All others would change what the agent does. */
const VISITOR_FIELDS: ReadonlySet<string> = new Set([
  'query',
  'conversationId',
  'visitorId',
  'visitorToken',
  'streaming',
]);
const SECONDS_PER_DAY = 86_400;

/** A query that was sent with a publishable key. */
export interface Visit {
  /** The query, with the id of a conversation that is the visitor's own, or new. */
  query: AgentQuery;
  /** With which the visitor can continue the conversation. */
  token: string;
}

/** Admits the queries of visitors, who send a publishable key. */
@Injectable()
export class Visits {
  constructor(
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(UsageRepository) private readonly usage: UsageRepository,
  ) {}

  /**
   * Counts the query, and finds its conversation or chooses the id of a new one.
   *
   * @throws {@link ApiError} `INVALID_REQUEST` for a field that visitors may not set, `RATE_LIMIT` at the limit of the day
   */
  async admit({ tenant, keyId }: Caller, agentId: string, query: AgentQuery): Promise<Visit> {
    for (const [field, value] of Object.entries(query))
      if (value !== undefined && value !== null && !VISITOR_FIELDS.has(field))
        throw invalid(field, 'cannot be set with a publishable key');
    if (!(await this.usage.countMessage(tenant, keyId)))
      throw new ApiError('RATE_LIMIT', 'No more questions can be asked today. Ask again tomorrow.', {
        retryAfterSeconds: SECONDS_PER_DAY - (Math.floor(Date.now() / 1_000) % SECONDS_PER_DAY),
      });
    const token = query.visitorToken;
    if (token && (await this.isOwn(tenant, agentId, query.conversationId, token))) return { query, token };
    return { query: { ...query, conversationId: newId() }, token: generateKey() };
  }

  /** Whether the token was returned with the conversation. */
  private async isOwn(
    tenant: TenantScope,
    agentId: string,
    conversationId: string | undefined,
    token: string,
  ): Promise<boolean> {
    if (conversationId === undefined) return false;
    const conversation = await this.conversations.find(tenant, agentId, conversationId);
    // The token has 190 random bits, so a comparison of hashes needs no constant time.
    return conversation !== null && conversation.visitorTokenHash === hashOfToken(token);
  }
}

/** What is stored of a visitor token. */
export function hashOfToken(token: string): string {
  return describeKey(token).hash;
}
