import type { EntityManager } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { queryRow, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { accessible, isLimited, readable } from '../content/readers/readable.js';

// Conditions on rows `c` of `conversations`. All of them are about conversations of the organization only.

/**
 * Whether the caller goes on with a conversation: questions are added to it, and its messages become the history of the next
 * answer. People go on with their own. A key goes on with those that it began, and with those whose key has been removed or is
 * not known, so that a key can be replaced. A visitor of a web page proves that the conversation is the own one with a token.
 */
export function mayContinue({ organizationId, reader, key }: TenantScope): Sql {
  const isOurs = sql`c.organization_id = ${organizationId}`;
  if (reader) return sql`${isOurs} AND c.person_id = ${reader.personId}`;
  const isOfNobody = sql`${isOurs} AND c.person_id IS NULL`;
  if (key?.kind !== 'other') return isOfNobody;
  return sql`${isOfNobody} AND (c.api_key_id IS NULL OR c.api_key_id = ${key.id}
               OR NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.id = c.api_key_id))`;
}

/**
 * Whether the caller reads a conversation. People read their own. Conversations of nobody are read by owners, by editors who may
 * read their sources, and by keys with the scope `admin`; other keys read those that they began. Owners and keys with `admin` read the conversations of
 * people that began since the setting of the organization says so.
 */
export function mayRead(scope: TenantScope): Sql {
  const { organizationId, reader, key } = scope;
  const isOurs = sql`c.organization_id = ${organizationId}`;
  if (!reader && !key) return isOurs;
  if (!reader && key?.kind !== 'admin') return sql`${isOurs} AND ${isOwn(scope)}`;
  const readsKeys =
    reader?.role === 'member' ? sql`false` : sql`(c.person_id IS NULL AND ${readsSources(scope)})`;
  const readsPeople =
    !reader || reader.role === 'owner' ? sql`(${isOpenToOwners()} AND ${readsSources(scope)})` : sql`false`;
  return sql`${isOurs} AND (${isOwn(scope)} OR ${readsKeys} OR ${readsPeople})`;
}

/**
 * Whether the caller may read all documents that the answers of a conversation were based on. Whether one may read a document that
 * has been deleted is not known any more, unless the caller has always read all documents of the organization.
 */
export function readsSources(scope: TenantScope): Sql {
  const isLimitedNow = isLimited(scope)
    ? sql`(o.has_chosen_readers OR o.has_restricted_documents)`
    : sql`o.has_restricted_documents`;
  return sql`(
    EXISTS (SELECT 1 FROM organizations o WHERE o.id = ${scope.organizationId} AND NOT ${isLimitedNow})
    OR NOT EXISTS (
      SELECT 1 FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) source
       WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id AND NOT EXISTS (
         SELECT 1 FROM datasources d JOIN datastores s ON s.id = d.datastore_id
          WHERE d.organization_id = c.organization_id AND d.id = (source->>'datasource_id')::uuid
            AND ${readable(scope, sql`s`)} AND ${accessible(scope, sql`d`)})))`;
}

/** Whether the caller rates the answers of a conversation, or deletes it. */
export function mayChange(scope: TenantScope): Sql {
  return sql`(${mayContinue(scope)} OR ${mayRead(scope)} AND c.person_id IS NULL)`;
}

/** Whether the caller began the conversation. */
export function isOwn({ reader, key }: TenantScope): Sql {
  if (reader) return sql`c.person_id = ${reader.personId}`;
  return key ? sql`c.person_id IS NULL AND c.api_key_id = ${key.id}` : sql`true`;
}

/** The id by which the caller knows the conversation. */
export function knownId({ reader }: TenantScope): Sql {
  return reader
    ? sql`CASE WHEN c.person_id = ${reader.personId} THEN c.personal_id ELSE c.external_id END`
    : sql`c.external_id`;
}

/** Whether the caller knows the conversation by this id. */
export function isKnownAs({ reader }: TenantScope, id: string): Sql {
  if (!reader) return sql`c.external_id = ${id}`;
  const { personId } = reader;
  return sql`(c.person_id = ${personId} AND c.personal_id = ${id}
              OR c.person_id IS DISTINCT FROM ${personId} AND c.external_id = ${id})`;
}

function isOpenToOwners(): Sql {
  return sql`EXISTS (SELECT 1 FROM organizations o
                      WHERE o.id = c.organization_id AND c.created_at >= o.owners_read_conversations_since)`;
}

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
