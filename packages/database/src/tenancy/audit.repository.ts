import type { AuditFilter } from '@citewell/contracts/schemas';
import type { DataSource, EntityTarget } from 'typeorm';
import { GroupCommit } from '../connection/group-commit.js';
import { isId, newId } from '../connection/new-id.js';
import type { Page } from '../connection/page.js';
import { containsText, execute, jsonOfRows, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { AgentDatastoreEntity, AgentEntity } from '../schema/answering.entities.js';
import { DatasourceEntity, DatastoreEntity } from '../schema/content.entities.js';
import { GroupEntity, IdentityProviderEntity, PersonEntity } from '../schema/identity.entities.js';
import { WebhookEntity } from '../schema/interfaces.entities.js';
import { type AuditEventEntity, OrganizationEntity } from '../schema/tenancy.entities.js';

/**
 * An event to record. When it is stored, the names of the actor, of a target without a name, and of all ids in the details
 * are read.
 */
export type NewAuditEvent = Omit<AuditEventEntity, 'id' | 'organizationId' | 'at' | 'actorName'>;

/** An account that somebody wants to sign in to. */
export interface NamedAccount {
  organizationId: string;
  personId: string;
  name: string | null;
}

/** The events of all organizations are stored together. */
const KEY = 'events';

/** Targets that requests change, by their kind in the audit log. Their entities have the fields of the interface. */
const CHANGED_TARGETS: Readonly<Record<string, EntityTarget<{ id: string; organizationId: string }>>> = {
  library: DatastoreEntity,
  document: DatasourceEntity,
  person: PersonEntity,
  profile: PersonEntity,
  group: GroupEntity,
  identity_provider: IdentityProviderEntity,
  webhook: WebhookEntity,
};

/** Who did what. Events are added and expire; nothing changes or removes one of them. */
export class AuditRepository {
  private readonly inserts: GroupCommit<NewAuditEvent & { id: string; organizationId: string }, undefined>;

  constructor(private readonly dataSource: DataSource) {
    this.inserts = new GroupCommit(async (_, events) => {
      await this.insert(events);
      return events.map(() => undefined);
    });
  }

  /** Stores an event; nothing if the organization is deleted. */
  async record({ organizationId }: TenantScope, event: NewAuditEvent): Promise<void> {
    await this.inserts.submit(KEY, { id: newId(), organizationId, ...event });
  }

  /** The stored values of a target. Null if a target of this kind has none that a request changes, or does not exist. */
  async storedValues(scope: TenantScope, kind: string, id: string): Promise<Record<string, unknown> | null> {
    const { organizationId } = scope;
    const { manager } = this.dataSource;
    if (kind === 'organization')
      return { ...(await manager.findOneBy(OrganizationEntity, { id: organizationId })) };
    if (!isId(id)) return null;
    if (kind === 'agent') {
      const links = await manager.findBy(AgentDatastoreEntity, { organizationId, agentId: id });
      const agent = await manager.findOneBy(AgentEntity, { organizationId, id });
      return agent && { ...agent, datastoreIds: links.map(({ datastoreId }) => datastoreId) };
    }
    const entity = CHANGED_TARGETS[kind];
    const stored = entity && (await manager.findOneBy(entity, { organizationId, id }));
    return stored ? { ...stored } : null;
  }

  /** Newest first. */
  async list(scope: TenantScope, page: Page, filter: AuditFilter): Promise<AuditEventEntity[]> {
    return queryRows<AuditEventEntity>(
      this.dataSource,
      sql`SELECT id, organization_id AS "organizationId", at, actor_kind AS "actorKind", actor_id AS "actorId",
                 actor_name AS "actorName", action, target_kind AS "targetKind", target_id AS "targetId",
                 target_name AS "targetName", address, user_agent AS "userAgent", outcome, details
            FROM audit_events e
           WHERE ${matches(scope, filter)} AND ${isAfterCursor(scope, page)}
           ORDER BY at DESC, id DESC LIMIT ${page.limit}`,
    );
  }

  async retentionDays({ organizationId }: TenantScope): Promise<number | null> {
    const organization = await this.dataSource.manager.findOneBy(OrganizationEntity, { id: organizationId });
    return organization?.auditRetentionDays ?? null;
  }

  async setRetentionDays({ organizationId }: TenantScope, days: number): Promise<void> {
    await this.dataSource.manager.update(
      OrganizationEntity,
      { id: organizationId },
      { auditRetentionDays: days },
    );
  }

  /** Removes events that are older than the retention of their organization. @returns how many */
  async removeExpired(limit: number): Promise<number> {
    return execute(
      this.dataSource,
      sql`DELETE FROM audit_events WHERE ctid = ANY (ARRAY(
            SELECT e.ctid FROM organizations o CROSS JOIN LATERAL (
              SELECT ctid FROM audit_events
               WHERE organization_id = o.id AND at < now() - make_interval(days => o.audit_retention_days)
               LIMIT ${limit}) e
             LIMIT ${limit}))`,
    );
  }

  /**
   * The people who sign in with this e-mail: their organizations are told of failed sign-ins. Those of the account that has
   * verified the e-mail; without one, those that have it without proof.
   */
  async accounts(email: string): Promise<NamedAccount[]> {
    return queryRows<NamedAccount>(
      this.dataSource,
      sql`SELECT p.organization_id AS "organizationId", p.id AS "personId", coalesce(p.name, p.email) AS name
            FROM accounts a JOIN people p ON p.account_id = a.id
           WHERE a.email = ${email}
              OR (a.email IS NULL AND p.email = ${email} AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = ${email}))`,
    );
  }

  private async insert(
    events: readonly (NewAuditEvent & { id: string; organizationId: string })[],
  ): Promise<void> {
    const rows = events.map((event) => ({ ...event, ids: idsIn([event.targetId, event.details]) }));
    await queryRow(
      this.dataSource,
      sql`INSERT INTO audit_events (id, organization_id, actor_kind, actor_id, actor_name, action, target_kind,
                                    target_id, target_name, address, user_agent, outcome, details)
          SELECT e.id, e."organizationId", e."actorKind", e."actorId",
                 coalesce((SELECT coalesce(p.name, p.email) FROM people p WHERE p.id = e."actorId"),
                          (SELECT k.name FROM api_keys k WHERE k.id = e."actorId"),
                          -- Somebody who has removed oneself.
                          CASE WHEN e."targetId" = e."actorId"::text THEN e."targetName" END),
                 e.action, e."targetKind", e."targetId", coalesce(e."targetName", n.names ->> e."targetId"),
                 e.address, e."userAgent", e.outcome,
                 e.details || jsonb_strip_nulls(jsonb_build_object(
                   'names', nullif(n.names - coalesce(e."targetId", ''), '{}')))
            FROM ROWS FROM (jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS (
                   id uuid, "organizationId" uuid, "actorKind" text, "actorId" uuid, action text,
                   "targetKind" text, "targetId" text, "targetName" text, address text, "userAgent" text,
                   outcome text, details jsonb, ids uuid[])) WITH ORDINALITY e
            JOIN organizations o ON o.id = e."organizationId" AND o.deleted_at IS NULL
            CROSS JOIN LATERAL (
              SELECT coalesce(jsonb_object_agg(id, name), '{}') AS names FROM (
                SELECT id, name, organization_id FROM datastores
                UNION ALL SELECT id, name, organization_id FROM datasources WHERE access IS NULL
                UNION ALL SELECT id, name, organization_id FROM agents
                UNION ALL SELECT id, coalesce(name, email), organization_id FROM people
                UNION ALL SELECT id, name, organization_id FROM groups
                UNION ALL SELECT id, name, organization_id FROM api_keys
                UNION ALL SELECT id, name, organization_id FROM identity_providers) named
               WHERE named.id = ANY (e.ids) AND organization_id = o.id AND name IS NOT NULL) n
           ORDER BY e.ordinality`,
    );
  }
}

/** All ids in a value and in what it contains. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isId(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? [...new Set(Object.values(value).flatMap(idsIn))] : [];
}

/** A condition on `audit_events e`. */
function matches({ organizationId }: TenantScope, filter: AuditFilter): Sql {
  const { actor, action, target, outcome, from, to } = filter;
  const all = sql`true`;
  return sql`e.organization_id = ${organizationId}
    AND ${actor === undefined ? all : sql`(e.actor_id::text = ${actor} OR ${containsText(sql`e.actor_name`, actor)})`}
    AND ${action === undefined ? all : sql`(e.action = ${action} OR starts_with(e.action, ${`${action}.`}))`}
    AND ${target === undefined ? all : sql`(e.target_id = ${target} OR ${containsText(sql`e.target_name`, target)})`}
    AND ${outcome === undefined ? all : sql`e.outcome = ${outcome}`}
    AND ${from === undefined ? all : sql`e.at >= ${from}::timestamptz`}
    AND ${to === undefined ? all : sql`e.at < ${to}::timestamptz`}`;
}

/** Ids of several processes are not in the order of their events, so the instant of the cursor comes first. */
function isAfterCursor({ organizationId }: TenantScope, { cursor }: Page): Sql {
  if (cursor === undefined || !isId(cursor)) return sql`true`;
  return sql`(e.at, e.id) < (SELECT c.at, c.id FROM audit_events c
                              WHERE c.organization_id = ${organizationId} AND c.id = ${cursor})`;
}
