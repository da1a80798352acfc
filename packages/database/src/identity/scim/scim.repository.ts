import type { DataSource, EntityManager } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import { execute, queryRow, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { PersonEntity, ScimUserEntity, SessionEntity } from '../../schema/identity.entities.js';
import { groupNameKey } from '../people/group.repository.js';
import { activeOwners } from '../people/person.repository.js';

/**
 * A person as SCIM shows it. People whom no provider manages have their e-mail as user name. An e-mail that a person has only
 * asserted is not shown, because a provider could take the person for somebody else.
 */
export interface ScimUser {
  id: string;
  userName: string;
  externalId: string | null;
  email: string | null;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  isActive: boolean;
  createdAt: Date;
}

/** What is undefined stays. */
export type ScimUserFields = {
  [Field in Exclude<keyof ScimUser, 'id' | 'createdAt'>]?: ScimUser[Field] | undefined;
};

/**
 * `claimed`: a person has asserted the e-mail in the profile. `last-owner`: an organization keeps one. `has-account`: only the
 * account changes its e-mail.
 */
export type ScimUserChange = Result<
  ScimUser,
  'not-found' | 'taken' | 'claimed' | 'last-owner' | 'has-account'
>;

/** A comparison with `eq`. */
export interface ScimCondition<Attribute extends string> {
  attribute: Attribute;
  value: string;
}

export type UserAttribute = 'id' | 'userName' | 'externalId' | 'email';
export type GroupAttribute = 'id' | 'displayName' | 'externalId' | 'member';

/** Items are numbered from 0. */
interface Slice {
  offset: number;
  limit: number;
}

/** A change of the members of a group. */
export interface MemberChange {
  kind: 'add' | 'remove' | 'set';
  ids: readonly string[];
}

/** Users and groups, as an identity provider manages them: SCIM 2.0 (RFC 7643). */
export class ScimRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Oldest first. */
  async users(
    { organizationId }: TenantScope,
    condition: ScimCondition<UserAttribute> | null,
    { offset, limit }: Slice,
  ): Promise<{ total: number; users: ScimUser[] }> {
    const matching = sql`p.organization_id = ${organizationId} AND ${IS_USER} AND ${condition ? userMatches(condition) : sql`true`}`;
    const count = await queryRow<{ total: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS total FROM people p LEFT JOIN scim_users s ON s.person_id = p.id WHERE ${matching}`,
    );
    const users = await selectUsers(
      this.dataSource.manager,
      sql`${matching} ORDER BY p.id OFFSET ${offset} LIMIT ${limit}`,
    );
    return { total: count?.total ?? 0, users };
  }

  async user({ organizationId }: TenantScope, id: string): Promise<ScimUser | null> {
    return isId(id) ? findUser(this.dataSource.manager, organizationId, id) : null;
  }

  /** Creates a member. Refuses a user name, an e-mail or an external id that another person has. */
  async createUser(
    { organizationId }: TenantScope,
    fields: ScimUserFields & { userName: string; email: string },
  ): Promise<ScimUserChange> {
    return this.change(async (manager) => {
      const { userName, email, name = null, externalId = null, isActive = true } = fields;
      const conflict = await conflictOf(manager, organizationId, { userName, email, id: null });
      if (conflict) return refuse(conflict);
      const id = newId();
      const disabledAt = isActive ? null : new Date();
      await manager.insert(PersonEntity, { id, organizationId, role: 'member', email, name, disabledAt });
      const { givenName = null, familyName = null } = fields;
      const names = { userName, userNameKey: userName.toLowerCase(), givenName, familyName };
      await manager.insert(ScimUserEntity, { personId: id, organizationId, externalId, ...names });
      return changed(manager, organizationId, id);
    });
  }

  /** A person who is not active has no session, and cannot begin one. */
  async updateUser(
    { organizationId }: TenantScope,
    id: string,
    fields: ScimUserFields,
  ): Promise<ScimUserChange> {
    if (!isId(id)) return refuse('not-found');
    return this.change(async (manager) => {
      // The same locks in the same order as a change of a role by an owner.
      const owners = await activeOwners(manager, organizationId);
      const user = await findUser(manager, organizationId, id);
      const person = user && (await manager.findOneBy(PersonEntity, { id, organizationId }));
      if (!user || !person) return refuse('not-found');
      const { userName = user.userName, email = person.email, isActive = user.isActive } = fields;
      if (!isActive && owners.length === 1 && owners[0]?.id === id) return refuse('last-owner');
      if (email !== person.email && person.accountId !== null) return refuse('has-account');
      const conflict = await conflictOf(manager, organizationId, { userName, email, id });
      if (conflict) return refuse(conflict);
      const { name = user.name, externalId = user.externalId } = fields;
      const { givenName = user.givenName, familyName = user.familyName } = fields;
      const disabledAt = isActive ? null : (person.disabledAt ?? new Date());
      const emailClaimed = fields.email === undefined && person.emailClaimed;
      await manager.update(PersonEntity, { id, organizationId }, { email, emailClaimed, name, disabledAt });
      if (!isActive) await manager.delete(SessionEntity, { organizationId, personId: id });
      const names = { userName, userNameKey: userName.toLowerCase(), givenName, familyName };
      await manager.upsert(ScimUserEntity, { personId: id, organizationId, externalId, ...names }, [
        'personId',
      ]);
      return changed(manager, organizationId, id);
    });
  }

  /** Oldest first. @returns ids */
  async groups(
    { organizationId }: TenantScope,
    condition: ScimCondition<GroupAttribute> | null,
    { offset, limit }: Slice,
  ): Promise<{ total: number; ids: string[] }> {
    const matching = sql`g.organization_id = ${organizationId} AND ${condition ? groupMatches(condition) : sql`true`}`;
    const count = await queryRow<{ total: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS total FROM groups g WHERE ${matching}`,
    );
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT g.id FROM groups g WHERE ${matching} ORDER BY g.id OFFSET ${offset} LIMIT ${limit}`,
    );
    return { total: count?.total ?? 0, ids: rows.map(({ id }) => id) };
  }

  async members({ organizationId }: TenantScope, groupId: string): Promise<string[]> {
    if (!isId(groupId)) return [];
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT person_id AS id FROM group_members
           WHERE organization_id = ${organizationId} AND group_id = ${groupId} ORDER BY person_id`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Changes the members of a group, all or nothing. Somebody who is removed need not be a member.
   *
   * @returns refuses with the first id that is not of a person of the organization
   */
  async changeMembers(
    { organizationId }: TenantScope,
    groupId: string,
    changes: readonly MemberChange[],
  ): Promise<Result<undefined, 'unknown-people'>> {
    return attempt(this.dataSource, async (manager) => {
      await queryRow(
        manager,
        sql`SELECT 1 FROM groups WHERE organization_id = ${organizationId} AND id = ${groupId} FOR NO KEY UPDATE`,
      );
      const added = changes.filter(({ kind }) => kind !== 'remove').flatMap(({ ids }) => ids);
      const people = await queryRows<{ id: string }>(
        manager,
        sql`SELECT id FROM people WHERE organization_id = ${organizationId}
               AND id = ANY(${added.filter(isId)}::uuid[]) ORDER BY id FOR KEY SHARE`,
      );
      const known = new Set(people.map(({ id }) => id));
      const unknown = added.find((id) => !known.has(id));
      if (unknown !== undefined) return refuse('unknown-people', [unknown]);
      for (const { kind, ids } of changes) {
        const removed = kind === 'set' ? sql`true` : sql`person_id = ANY(${ids.filter(isId)}::uuid[])`;
        if (kind !== 'add')
          await execute(
            manager,
            sql`DELETE FROM group_members
                 WHERE organization_id = ${organizationId} AND group_id = ${groupId} AND ${removed}`,
          );
        if (kind !== 'remove')
          await queryRows(
            manager,
            sql`INSERT INTO group_members (organization_id, group_id, person_id)
                SELECT ${organizationId}, ${groupId}, id FROM unnest(${ids}::uuid[]) AS id ON CONFLICT DO NOTHING`,
          );
      }
      return done();
    });
  }

  private async change(work: (manager: EntityManager) => Promise<ScimUserChange>): Promise<ScimUserChange> {
    return attempt(this.dataSource, work, { ifTaken: 'taken' });
  }
}

async function changed(manager: EntityManager, organizationId: string, id: string): Promise<ScimUserChange> {
  const user = await findUser(manager, organizationId, id);
  return user ? done(user) : refuse('not-found');
}

/** Whom a provider may manage. */
const IS_USER = sql`(s.person_id IS NOT NULL OR (p.email IS NOT NULL AND NOT p.email_claimed))`;

async function findUser(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ScimUser | null> {
  const isUser = sql`p.organization_id = ${organizationId} AND p.id = ${id} AND ${IS_USER}`;
  return (await selectUsers(manager, isUser))[0] ?? null;
}

async function selectUsers(manager: EntityManager, matching: Sql): Promise<ScimUser[]> {
  return queryRows<ScimUser>(
    manager,
    sql`SELECT p.id, coalesce(s.user_name, p.email) AS "userName", s.external_id AS "externalId",
               CASE WHEN p.email_claimed THEN NULL ELSE p.email END AS email, p.name, s.given_name AS "givenName", s.family_name AS "familyName", p.disabled_at IS NULL AS "isActive",
               p.created_at AS "createdAt"
          FROM people p LEFT JOIN scim_users s ON s.person_id = p.id WHERE ${matching}`,
  );
}

/** Whether another person has the user name, as such or as e-mail, or the e-mail. */
async function conflictOf(
  manager: EntityManager,
  organizationId: string,
  { userName, email, id }: { userName: string; email: string | null; id: string | null },
): Promise<'taken' | 'claimed' | null> {
  const conflict = await queryRow<{ kind: 'taken' | 'claimed' }>(
    manager,
    sql`SELECT CASE WHEN p.email_claimed AND p.email IN (${userName.toLowerCase()}, ${email})
                    THEN 'claimed' ELSE 'taken' END AS kind
          FROM people p LEFT JOIN scim_users s ON s.person_id = p.id
         WHERE p.organization_id = ${organizationId} AND p.id IS DISTINCT FROM ${id}::uuid
           AND (coalesce(s.user_name_key, p.email) = ${userName.toLowerCase()} OR p.email = ${email}) LIMIT 1`,
  );
  return conflict && conflict.kind;
}

function userMatches({ attribute, value }: ScimCondition<UserAttribute>): Sql {
  switch (attribute) {
    case 'id':
      return isId(value) ? sql`p.id = ${value}` : sql`false`;
    case 'userName':
      return sql`coalesce(s.user_name_key, p.email) = ${value.toLowerCase()}`;
    case 'externalId':
      return sql`s.external_id = ${value}`;
    case 'email':
      return sql`p.email = ${value.toLowerCase()} AND NOT p.email_claimed`;
  }
}

function groupMatches({ attribute, value }: ScimCondition<GroupAttribute>): Sql {
  switch (attribute) {
    case 'id':
      return isId(value) ? sql`g.id = ${value}` : sql`false`;
    case 'displayName':
      return sql`g.name_key = ${groupNameKey(value)}`;
    case 'externalId':
      return sql`g.external_id = ${value}`;
    case 'member':
      return isId(value)
        ? sql`EXISTS (SELECT 1 FROM group_members m WHERE m.organization_id = g.organization_id
                 AND m.group_id = g.id AND m.person_id = ${value})`
        : sql`false`;
  }
}
