import type { EntityManager } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { queryRow, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';

/** A conversation as its client knows it. */
export interface Thread {
  agentId: string;
  externalId: string;
  visitorId: string;
  visitorTokenHash?: string | null;
}

/** Creates the conversation if it is new; two clients that create it at once share it. @returns its id */
export async function openConversation(
  manager: EntityManager,
  { organizationId }: TenantScope,
  { agentId, externalId, visitorId, visitorTokenHash = null }: Thread,
): Promise<string> {
  const conversation = await queryRow<{ id: string }>(
    manager,
    sql`INSERT INTO conversations (id, organization_id, agent_id, external_id, visitor_id, visitor_token_hash)
        VALUES (${newId()}, ${organizationId}, ${agentId}, ${externalId}, ${visitorId}, ${visitorTokenHash})
        ON CONFLICT (organization_id, agent_id, external_id) DO UPDATE SET updated_at = now() RETURNING id`,
  );
  if (conversation === null) throw new Error('An upsert returns its row');
  return conversation.id;
}
