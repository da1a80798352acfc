import type { DataSource, EntityManager } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import { execute, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { DatastoreReaderEntity, type DatastoreReading } from '../../schema/content.entities.js';
import { readable } from './readable.js';

/** Who is to read a datastore. */
export interface WantedReaders {
  readonly everyone: boolean;
  /** Ids. Empty for everyone. */
  readonly people: readonly string[];
  readonly groups: readonly string[];
}

export interface ReadingPerson {
  id: string;
  name: string | null;
  email: string | null;
}

export interface ReadingGroup {
  id: string;
  name: string;
}

/** Who may read a datastore, besides owners. */
export interface DatastoreReaders {
  everyone: boolean;
  people: ReadingPerson[];
  groups: ReadingGroup[];
}

/**
 * Why readers were not written: ids that are not of the organization, or the reader of the scope could not read the datastore any
 * more.
 */
export type ReadersRefusal = 'unknown-people' | 'unknown-groups' | 'caller-excluded';

/** Who may read datastores. */
export class DatastoreReaderRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns null when there is no such datastore, or the caller may not read it */
  async find(scope: TenantScope, datastoreId: string): Promise<DatastoreReaders | null> {
    if (!isId(datastoreId)) return null;
    const { organizationId } = scope;
    const row = await queryRow<{ readers: DatastoreReading }>(
      this.dataSource,
      sql`SELECT s.readers FROM datastores s
           WHERE s.id = ${datastoreId} AND s.organization_id = ${organizationId} AND s.deleted_at IS NULL
             AND ${readable(scope, sql`s`)}`,
    );
    if (row === null) return null;
    const people = await queryRows<ReadingPerson>(
      this.dataSource,
      sql`SELECT p.id, p.name, p.email FROM datastore_readers dr JOIN people p ON p.id = dr.person_id
           WHERE dr.organization_id = ${organizationId} AND dr.datastore_id = ${datastoreId}
           ORDER BY lower(coalesce(p.name, p.email)), p.id`,
    );
    const groups = await queryRows<ReadingGroup>(
      this.dataSource,
      sql`SELECT g.id, g.name FROM datastore_readers dr JOIN groups g ON g.id = dr.group_id
           WHERE dr.organization_id = ${organizationId} AND dr.datastore_id = ${datastoreId}
           ORDER BY g.name_key`,
    );
    return { everyone: row.readers === 'everyone', people, groups };
  }

  /**
   * Replaces the readers of a datastore.
   *
   * @returns refuses with `not-found` also when the caller may not read the datastore
   */
  async replace(
    scope: TenantScope,
    datastoreId: string,
    wanted: WantedReaders,
  ): Promise<Result<undefined, ReadersRefusal | 'not-found'>> {
    if (!isId(datastoreId)) return refuse('not-found');
    return attempt<undefined, ReadersRefusal | 'not-found'>(this.dataSource, async (manager) => {
      const found = await queryRow(
        manager,
        sql`SELECT 1 FROM datastores s
             WHERE s.id = ${datastoreId} AND s.organization_id = ${scope.organizationId} AND s.deleted_at IS NULL
               AND ${readable(scope, sql`s`)} FOR UPDATE OF s`,
      );
      if (found === null) return refuse('not-found');
      return writeReaders(manager, scope, datastoreId, wanted);
    });
  }

  /** People and groups of the organization whose names or e-mails contain a text, by name. */
  async search(
    { organizationId }: TenantScope,
    text: string,
    limit: number,
  ): Promise<Omit<DatastoreReaders, 'everyone'>> {
    // A backslash makes the next character of a pattern stand for itself.
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    const people = await queryRows<ReadingPerson>(
      this.dataSource,
      sql`SELECT id, name, email FROM people
           WHERE organization_id = ${organizationId} AND (lower(name) LIKE ${pattern} OR email LIKE ${pattern})
           ORDER BY lower(coalesce(name, email)), id LIMIT ${limit}`,
    );
    const groups = await queryRows<ReadingGroup>(
      this.dataSource,
      sql`SELECT id, name FROM groups
           WHERE organization_id = ${organizationId} AND (lower(name) LIKE ${pattern} OR name_key LIKE ${pattern})
           ORDER BY name_key LIMIT ${limit}`,
    );
    return { people, groups };
  }
}

/** Writes the readers of a datastore whose row the caller's transaction has locked or inserted. A refusal has to roll it back. */
export async function writeReaders(
  manager: EntityManager,
  scope: TenantScope,
  datastoreId: string,
  wanted: WantedReaders,
): Promise<Result<undefined, ReadersRefusal>> {
  const { organizationId } = scope;
  const people = [...new Set(wanted.people.map((id) => id.toLowerCase()))];
  const groups = [...new Set(wanted.groups.map((id) => id.toLowerCase()))];
  await manager.delete(DatastoreReaderEntity, { organizationId, datastoreId });
  const readers: DatastoreReading = wanted.everyone ? 'everyone' : 'chosen';
  await queryRows(
    manager,
    sql`UPDATE datastores SET readers = ${readers}, updated_at = now()
         WHERE id = ${datastoreId} AND organization_id = ${organizationId}`,
  );
  // The locks keep people and groups until the commit.
  const known = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM people WHERE organization_id = ${organizationId} AND id = ANY(${people.filter(isId)}::uuid[])
         ORDER BY id FOR KEY SHARE`,
  );
  const knownGroups = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM groups WHERE organization_id = ${organizationId} AND id = ANY(${groups.filter(isId)}::uuid[])
         ORDER BY id FOR KEY SHARE`,
  );
  const unknownPeople = missing(people, known);
  if (unknownPeople.length > 0) return refuse('unknown-people', unknownPeople);
  const unknownGroups = missing(groups, knownGroups);
  if (unknownGroups.length > 0) return refuse('unknown-groups', unknownGroups);
  const rows = [
    ...people.map((personId) => ({ personId, groupId: null })),
    ...groups.map((groupId) => ({ personId: null, groupId })),
  ].map((reader) => ({ id: newId(), organizationId, datastoreId, ...reader }));
  if (rows.length > 0) await manager.insert(DatastoreReaderEntity, rows);
  const own = await queryRow(
    manager,
    sql`SELECT 1 FROM datastores s
         WHERE s.id = ${datastoreId} AND s.organization_id = ${organizationId} AND ${readable(scope, sql`s`)}`,
  );
  if (own === null) return refuse('caller-excluded');
  if (wanted.everyone) return done();
  // Transactions lock the organization last.
  await execute(
    manager,
    sql`UPDATE organizations SET has_chosen_readers = true WHERE id = ${organizationId} AND NOT has_chosen_readers`,
  );
  return done();
}

function missing(ids: readonly string[], known: readonly { id: string }[]): string[] {
  const found = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}
