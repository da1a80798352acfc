import { type DataSource, In } from 'typeorm';
import { isUniqueViolation } from '../../connection/database-unavailable.js';
import { isId, newId } from '../../connection/new-id.js';
import { afterCursor, type Page } from '../../connection/page.js';
import { done, refuse, type Result } from '../../connection/result.js';
import { execute, hydrate, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { valuesOf } from '../../schema/columns.js';
import { GroupEntity, GroupMemberEntity, PersonEntity } from '../../schema/identity.entities.js';

/** What is undefined stays. */
export interface GroupFields {
  name?: string | undefined;
  externalId?: string | null | undefined;
}

/** A group with the number of its members. */
export interface GroupWithSize {
  group: GroupEntity;
  memberCount: number;
}

/** `name-taken`: the organization has a group with this name or external id. */
export type GroupChange = Result<GroupWithSize, 'not-found' | 'name-taken'>;

/** Groups of people of one organization. */
export class GroupRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    scope: TenantScope,
    { name, externalId = null }: GroupFields & { name: string },
  ): Promise<GroupChange> {
    const id = newId();
    const { organizationId } = scope;
    const insert = this.dataSource.createQueryBuilder().insert().into(GroupEntity);
    await insert
      .values({ id, organizationId, name, nameKey: groupNameKey(name), externalId })
      .orIgnore()
      .execute();
    const group = await this.find(scope, id);
    return group ? done(group) : refuse('name-taken');
  }

  async list({ organizationId }: TenantScope, page: Page): Promise<GroupWithSize[]> {
    const groups = await this.dataSource.manager.find(GroupEntity, {
      where: { organizationId, ...afterCursor(page) },
      order: { id: 'DESC' },
      take: page.limit,
    });
    return this.withSizes(groups);
  }

  async find({ organizationId }: TenantScope, id: string): Promise<GroupWithSize | null> {
    if (!isId(id)) return null;
    const groups = await this.dataSource.manager.findBy(GroupEntity, { id, organizationId });
    return (await this.withSizes(groups))[0] ?? null;
  }

  /** The group with this name, without regard to case. */
  async findByName({ organizationId }: TenantScope, name: string): Promise<GroupEntity | null> {
    const nameKey = groupNameKey(name);
    return this.dataSource.manager.findOneBy(GroupEntity, { organizationId, nameKey });
  }

  async update(scope: TenantScope, id: string, { name, externalId }: GroupFields): Promise<GroupChange> {
    const found = await this.find(scope, id);
    if (found === null) return refuse('not-found');
    const { organizationId } = scope;
    const nameKey = name === undefined ? undefined : groupNameKey(name);
    try {
      // TypeORM refuses an update of nothing.
      const values = valuesOf<GroupEntity>({ organizationId, name, nameKey, externalId });
      await this.dataSource.manager.update(GroupEntity, { id, organizationId }, values);
    } catch (error) {
      if (isUniqueViolation(error)) return refuse('name-taken');
      throw error;
    }
    const group = await this.find(scope, id);
    return group ? done(group) : refuse('not-found');
  }

  /** Removes a group. Its members lose what they could read as members. @returns null when there is no such group */
  async remove(scope: TenantScope, id: string): Promise<GroupWithSize | null> {
    const found = await this.find(scope, id);
    if (found)
      await this.dataSource.manager.delete(GroupEntity, { id, organizationId: scope.organizationId });
    return found;
  }

  /** The members of a group, newest person first. None for an unknown group. */
  async members({ organizationId }: TenantScope, groupId: string, page: Page): Promise<PersonEntity[]> {
    if (!isId(groupId)) return [];
    const isAfter = page.cursor && isId(page.cursor) ? sql`p.id < ${page.cursor}` : sql`true`;
    const rows = await queryRows<Record<string, unknown>>(
      this.dataSource,
      sql`SELECT p.* FROM group_members m
            JOIN people p ON p.organization_id = m.organization_id AND p.id = m.person_id
           WHERE m.organization_id = ${organizationId} AND m.group_id = ${groupId} AND ${isAfter}
           ORDER BY p.id DESC LIMIT ${page.limit}`,
    );
    return hydrate(this.dataSource, PersonEntity, rows);
  }

  /** Adds a person, who may be a member already. @returns the person; null if there is no such group or person */
  async addMember(
    { organizationId }: TenantScope,
    groupId: string,
    personId: string,
  ): Promise<PersonEntity | null> {
    if (!isId(groupId) || !isId(personId)) return null;
    // The locks keep group and person until the commit, so that the insert cannot fail because one of them has gone.
    const row = await queryRow<{ person_id: string }>(
      this.dataSource,
      sql`WITH found AS MATERIALIZED (
            SELECT g.id AS group_id, p.id AS person_id FROM groups g
              JOIN people p ON p.organization_id = g.organization_id
             WHERE g.organization_id = ${organizationId} AND g.id = ${groupId} AND p.id = ${personId} FOR KEY SHARE),
          added AS (
            INSERT INTO group_members (organization_id, group_id, person_id)
            SELECT ${organizationId}, group_id, person_id FROM found ON CONFLICT DO NOTHING)
          SELECT person_id FROM found`,
    );
    return row && this.dataSource.manager.findOneBy(PersonEntity, { id: personId, organizationId });
  }

  /** @returns the person who was a member; null otherwise */
  async removeMember(
    { organizationId }: TenantScope,
    groupId: string,
    personId: string,
  ): Promise<PersonEntity | null> {
    if (!isId(groupId) || !isId(personId)) return null;
    const removed = await execute(
      this.dataSource,
      sql`DELETE FROM group_members
           WHERE organization_id = ${organizationId} AND group_id = ${groupId} AND person_id = ${personId}`,
    );
    if (removed === 0) return null;
    return this.dataSource.manager.findOneBy(PersonEntity, { id: personId, organizationId });
  }

  /** The groups of a person, by name. */
  async groupsOf({ organizationId }: TenantScope, personId: string): Promise<GroupEntity[]> {
    if (!isId(personId)) return [];
    const members = await this.dataSource.manager.findBy(GroupMemberEntity, { organizationId, personId });
    return this.dataSource.manager.find(GroupEntity, {
      where: { organizationId, id: In(members.map(({ groupId }) => groupId)) },
      order: { nameKey: 'ASC' },
    });
  }

  private async withSizes(groups: readonly GroupEntity[]): Promise<GroupWithSize[]> {
    if (groups.length === 0) return [];
    const rows = await queryRows<{ id: string; count: number }>(
      this.dataSource,
      sql`SELECT group_id AS id, count(*)::int AS count FROM group_members
           WHERE organization_id = ${groups[0]?.organizationId} AND group_id = ANY(${groups.map(({ id }) => id)}::uuid[])
           GROUP BY group_id`,
    );
    const sizes = new Map(rows.map(({ id, count }) => [id, count]));
    return groups.map((group) => ({ group, memberCount: sizes.get(group.id) ?? 0 }));
  }
}

/** Equal for two names that people take for the same. */
export function groupNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
