import { type DataSource, type EntityManager, In, IsNull, Not } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { afterCursor, type Page } from '../connection/page.js';
import { done, refuse, type Result } from '../connection/result.js';
import { execute, type Executor, queryRow, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { deleteDatastores } from '../content/datastores/datastore.repository.js';
import { type AuthenticatedKey, type RowOf, withRights } from '../identity/sign-in/credentials.js';
import {
  ApiKeyEntity,
  GroupEntity,
  IdentityProviderEntity,
  PersonEntity,
} from '../schema/identity.entities.js';
import { WebhookEntity } from '../schema/interfaces.entities.js';
import { ModelSettingEntity } from '../schema/models.entities.js';
import { OrganizationEntity } from '../schema/tenancy.entities.js';
import { beginErasure } from './erasure.repository.js';

/** `last-admin`: without a key with the scope `admin`, the organization could not create another. */
export type KeyRemoval = Result<ApiKeyEntity, 'not-found' | 'last-admin'>;

export interface NewApiKey {
  name: string;
  prefix: string;
  hash: string;
  scopes: readonly string[];
  expiresAt?: Date | null;
  agentId?: string | null;
  personId?: string | null;
  allowedOrigins?: string[] | null;
  dailyLimit?: number | null;
}

type NewOrganization = Pick<OrganizationEntity, 'name'> &
  Partial<Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>>;

/** Deleted organizations of which one call removes rows. */
const REMOVAL_BATCH = 100;

/** Organizations and their keys. */
export class OrganizationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates an organization with its first key, both or neither. */
  async create(fields: NewOrganization, key: NewApiKey): Promise<OrganizationEntity> {
    return this.dataSource.transaction(async (manager) => {
      const id = newId();
      await manager.insert(OrganizationEntity, { id, ...fields });
      await insertKey(manager, id, key);
      return manager.findOneByOrFail(OrganizationEntity, { id });
    });
  }

  /**
   * Creates the organization of the first start, with its key.
   *
   * @returns whether it did: another process that starts at the same time may have done so before
   */
  async createFirst(fields: NewOrganization, key: NewApiKey): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const id = newId();
      const insert = manager.createQueryBuilder().insert().into(OrganizationEntity);
      await insert
        .values({ id, ...fields, isFirst: true })
        .orIgnore()
        .execute();
      if (!(await manager.existsBy(OrganizationEntity, { id }))) return false;
      await insertKey(manager, id, key);
      return true;
    });
  }

  async list(page: Page): Promise<OrganizationEntity[]> {
    return this.dataSource.getRepository(OrganizationEntity).find({
      where: {
        deletedAt: IsNull(),
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  async find(id: string): Promise<OrganizationEntity | null> {
    if (!isId(id)) return null;
    return this.dataSource.getRepository(OrganizationEntity).findOneBy({ id, deletedAt: IsNull() });
  }

  /** The organization of the first start, unless it was deleted. */
  async first(): Promise<OrganizationEntity | null> {
    return this.dataSource
      .getRepository(OrganizationEntity)
      .findOneBy({ isFirst: true, deletedAt: IsNull() });
  }

  async setLimits(
    id: string,
    limits: Pick<OrganizationEntity, 'limitAgentQueries' | 'limitStoredCharacters'>,
  ): Promise<void> {
    await this.dataSource.getRepository(OrganizationEntity).update({ id }, limits);
  }

  async rename({ organizationId }: TenantScope, name: string): Promise<void> {
    await this.dataSource.manager.update(OrganizationEntity, { id: organizationId }, { name });
  }

  /**
   * Decides whether owners read the conversations of people: those that begin from now on. A setting that is on already keeps
   * its moment.
   */
  async setOwnersReadConversations({ organizationId }: TenantScope, isOn: boolean): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE organizations SET owners_read_conversations_since =
                 CASE WHEN ${isOn}::boolean THEN coalesce(owners_read_conversations_since, now()) END
           WHERE id = ${organizationId}`,
    );
  }

  /** Decides whether owners get a mail of the questions without an answer once a week: the first one in a week. */
  async setWeeklyGapMail({ organizationId }: TenantScope, isOn: boolean): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE organizations SET gap_mail_due_at =
                 CASE WHEN ${isOn}::boolean THEN coalesce(gap_mail_due_at, now() + interval '7 days') END
           WHERE id = ${organizationId}`,
    );
  }

  /**
   * Hides the organization, revokes its keys, removes its people and identity providers, forgets the keys of its models and the secrets of its
   * webhooks, and has the content of its datastores purged. {@link removeDeleted} removes the rest, and `ErasureRepository`
   * tells what is left.
   */
  async markDeleted(id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await beginErasure(manager, id);
      await deleteDatastores(manager, id);
      await manager.delete(ApiKeyEntity, { organizationId: id });
      await manager.delete(GroupEntity, { organizationId: id });
      await manager.delete(PersonEntity, { organizationId: id });
      await manager.delete(IdentityProviderEntity, { organizationId: id });
      await manager.delete(ModelSettingEntity, { organizationId: id });
      const forgotten = { sealedSecret: '', previousSealedSecret: null, disabledReason: 'request' as const };
      await manager.update(WebhookEntity, { organizationId: id }, forgotten);
      // After the datastores: transactions that count what is stored lock the organization last.
      await manager.update(OrganizationEntity, { id }, { deletedAt: new Date(), isFirst: false });
    });
  }

  /**
   * Removes the rows of deleted organizations: rows with content first, and the organization's own row once
   * its datastores are purged.
   *
   * @param batch rows removed from one table in one call
   * @returns whether more rows can be removed at once; datastores that are still being purged do not count
   */
  async removeDeleted({ batch = 5_000 }: { batch?: number } = {}): Promise<boolean> {
    const deleted = await this.dataSource.getRepository(OrganizationEntity).find({
      select: { id: true },
      where: { deletedAt: Not(IsNull()) },
      order: { deletedAt: 'ASC' },
      take: REMOVAL_BATCH,
    });
    let isMoreLeft = false;
    for (const { id } of deleted) {
      // Datastores that a client created while the organization was being deleted.
      await this.dataSource.transaction((manager) => deleteDatastores(manager, id));
      const isDone = await this.dataSource.transaction((manager) => removeRows(manager, id, batch));
      isMoreLeft ||= !isDone;
    }
    return isMoreLeft;
  }

  /** The key with this hash, if it has not expired. */
  async authenticate(hash: string): Promise<AuthenticatedKey | null> {
    const row = await queryRow<RowOf<AuthenticatedKey>>(
      this.dataSource,
      sql`SELECT k.id, k.person_id AS "personId", p.role, k.organization_id AS "organizationId", k.scopes, k.expires_at AS "expiresAt",
                 CASE WHEN a.id IS NOT NULL THEN json_build_object('agentId', a.id,
                   'isAgentPublic', a.visibility = 'public', 'allowedOrigins', k.allowed_origins) END AS publishable
            FROM api_keys k JOIN organizations o ON o.id = k.organization_id
                 LEFT JOIN agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id
                 LEFT JOIN people p ON p.organization_id = k.organization_id AND p.id = k.person_id
                   AND p.disabled_at IS NULL
           WHERE k.hash = ${hash} AND (k.expires_at IS NULL OR k.expires_at > now()) AND o.deleted_at IS NULL
             AND (k.person_id IS NULL OR p.id IS NOT NULL)`,
    );
    return row && withRights(row);
  }

  async addKey(scope: TenantScope, key: NewApiKey): Promise<ApiKeyEntity> {
    const keys = this.dataSource.getRepository(ApiKeyEntity);
    const id = await insertKey(this.dataSource.manager, scope.organizationId, key);
    return keys.findOneByOrFail({ id });
  }

  /** Adds a key to an organization, unless a key with the same hash exists. */
  async ensureKey(organizationId: string, key: NewApiKey): Promise<void> {
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(ApiKeyEntity)
      .values({ id: newId(), organizationId, ...key, scopes: [...key.scopes] })
      .orIgnore()
      .execute();
  }

  /** The names, or e-mails, of the people whose tokens are among the keys. */
  async namesOfPeople(
    { organizationId }: TenantScope,
    keys: readonly ApiKeyEntity[],
  ): Promise<Map<string, string | null>> {
    const ids = keys.flatMap(({ personId }) => personId ?? []);
    if (ids.length === 0) return new Map();
    const people = await this.dataSource.manager.findBy(PersonEntity, { organizationId, id: In(ids) });
    return new Map(people.map(({ id, name, email }) => [id, name ?? email]));
  }

  async keys(scope: TenantScope, page: Page): Promise<ApiKeyEntity[]> {
    return this.dataSource.getRepository(ApiKeyEntity).find({
      where: {
        organizationId: scope.organizationId,
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  /**
   * Removes a key, or a token of a person, unless it is the last valid key with the scope `admin`: without such a key, the
   * organization could not create another. A token is not such a key: it leaves with its person.
   */
  async removeKey(scope: TenantScope, id: string): Promise<KeyRemoval> {
    if (!isId(id)) return refuse('not-found');
    const { organizationId } = scope;
    const keys = this.dataSource.getRepository(ApiKeyEntity);
    const key = await keys.findOneBy({ id, organizationId });
    // The locks let only one of two keys that remove each other at the same time succeed: a row that the other
    // statement has removed is no longer in `admins`.
    const removed = await execute(
      this.dataSource,
      sql`WITH admins AS MATERIALIZED (
            SELECT id FROM api_keys
             WHERE organization_id = ${organizationId} AND 'admin' = ANY (scopes) AND person_id IS NULL
               AND (expires_at IS NULL OR expires_at > now())
             ORDER BY id FOR UPDATE)
          DELETE FROM api_keys k WHERE k.id = ${id} AND k.organization_id = ${organizationId}
             AND ((SELECT count(*) FROM admins a WHERE a.id <> ${id}) > 0
                  OR NOT EXISTS (SELECT 1 FROM admins a WHERE a.id = ${id}))`,
    );
    if (key && removed > 0) return done(key);
    return refuse((await keys.existsBy({ id, organizationId })) ? 'last-admin' : 'not-found');
  }
}

async function insertKey(manager: EntityManager, organizationId: string, key: NewApiKey): Promise<string> {
  const id = newId();
  await manager.insert(ApiKeyEntity, { id, organizationId, ...key, scopes: [...key.scopes] });
  return id;
}

/** Tables whose rows are removed with an organization, in this order: those with content first. */
const OWNED_TABLES = [
  sql`messages`,
  sql`conversations`,
  sql`audit_events`,
  sql`idempotency_keys`,
  sql`agents`,
  sql`usage_counters`,
  sql`usage_days`,
  sql`model_prices`,
  sql`budgets`,
  sql`site_previews`,
  sql`webhook_deliveries`,
  sql`webhooks`,
  sql`model_settings`,
  sql`provider_sign_ins`,
  sql`provider_sessions`,
  sql`identities`,
  sql`scim_users`,
  sql`identity_providers`,
  sql`sessions`,
  sql`datastore_readers`,
  sql`group_members`,
  sql`groups`,
  sql`people`,
  sql`api_keys`,
];

/** Removes up to `batch` rows of each table. @returns whether all that can be removed now is removed */
async function removeRows(manager: Executor, organizationId: string, batch: number): Promise<boolean> {
  // One process at a time. The lock allows others to refer to the row, so that no other transaction waits for
  // this.
  const locked = await queryRow(
    manager,
    sql`SELECT 1 FROM organizations WHERE id = ${organizationId} AND deleted_at IS NOT NULL
           FOR NO KEY UPDATE SKIP LOCKED`,
  );
  if (locked === null) return true;
  for (const table of OWNED_TABLES)
    if ((await removeSome(manager, table, organizationId, batch)) === batch) return false;
  await execute(
    manager,
    sql`DELETE FROM organizations o WHERE o.id = ${organizationId}
           AND NOT EXISTS (SELECT 1 FROM datastores s WHERE s.organization_id = o.id)`,
  );
  return true;
}

/** @returns how many rows were removed */
async function removeSome(
  manager: Executor,
  table: Sql,
  organizationId: string,
  limit: number,
): Promise<number> {
  return execute(
    manager,
    sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE organization_id = ${organizationId} LIMIT ${limit}))`,
  );
}
