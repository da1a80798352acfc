import type * as wire from '@citewell/contracts';

/**
 * A question, and settings that override the settings of the agent for this question. The method decides how the
 * answer is sent: `agents.query`, `agents.stream` or `agents.streamResumable`.
 */
export type AgentQuery = Omit<wire.AgentQuery, 'streaming' | 'resumable'>;

/** A question of a visitor of a web page. */
export type VisitorQuery = Pick<AgentQuery, 'query' | 'conversationId' | 'visitorId' | 'visitorToken'>;
