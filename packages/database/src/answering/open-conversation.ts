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

/**
 * Creates the conversation if it is new; two clients that create it at once share it. It belongs to the person who asks, or
 * to nobody. Whether the caller goes on with a conversation that exists is decided before the answer is written.
 *
 * @returns its id
 */
export async function openConversation(
  manager: EntityManager,
  { organizationId, reader, key }: TenantScope,
  { agentId, externalId, visitorId, visitorTokenHash = null }: Thread,
): Promise<string> {
  const id = newId();
  const fields = sql`organization_id, agent_id, visitor_id, visitor_token_hash, api_key_id`;
  const values = sql`${organizationId}, ${agentId}, ${visitorId}, ${visitorTokenHash}, ${key?.id ?? null}`;
  const conversation = await queryRow<{ id: string }>(
    manager,
    reader
      ? sql`INSERT INTO conversations (id, external_id, person_id, personal_id, ${fields})
            VALUES (${id}, ${id}, ${reader.personId}, ${externalId}, ${values})
            ON CONFLICT (person_id, agent_id, personal_id) WHERE person_id IS NOT NULL
            DO UPDATE SET updated_at = now() RETURNING id`
      : sql`INSERT INTO conversations AS c (id, external_id, ${fields}) VALUES (${id}, ${externalId}, ${values})
            ON CONFLICT (organization_id, agent_id, external_id)
            DO UPDATE SET updated_at = now() WHERE c.person_id IS NULL RETURNING id`,
  );
  if (conversation === null) throw new Error('A conversation of a person has this id');
  return conversation.id;
}
