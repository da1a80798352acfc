import type { Role } from '@citewell/contracts/schemas';
import { type DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { isId, newId } from '../../connection/new-id.js';
import { afterCursor, type Page } from '../../connection/page.js';
import { attempt, done, refuse, type Result } from '../../connection/result.js';
import { queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { valuesOf } from '../../schema/columns.js';
import { AccountEntity, PersonEntity } from '../../schema/identity.entities.js';
import { changeCredentials, type CheckedAccount } from '../sign-in/account.repository.js';

/** A token with which a person gets an account, or a new password. */
export interface PersonLink {
  linkHash: string;
  linkExpiresAt: Date;
}

/** `last-owner`: an organization keeps one. */
export type PersonChange = Result<PersonEntity, 'not-found' | 'last-owner'>;

/** What is undefined stays. */
export interface ProfileFields {
  name?: string | null | undefined;
  language?: string | null | undefined;
  /** In lower case. */
  email?: string | undefined;
  passwordHash?: string | undefined;
}

/** People of an organization. Those that have been invited have not signed in yet. */
export class PersonRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Refuses an e-mail that another person of the organization has. */
  async invite(
    { organizationId }: TenantScope,
    fields: Pick<PersonEntity, 'role'> & { email: string } & PersonLink,
  ): Promise<Result<PersonEntity, 'email-taken'>> {
    const id = newId();
    const insert = this.dataSource.createQueryBuilder().insert().into(PersonEntity);
    await insert
      .values({ id, organizationId, ...fields })
      .orIgnore()
      .execute();
    const person = await this.dataSource.manager.findOneBy(PersonEntity, { id });
    return person ? done(person) : refuse('email-taken');
  }

  async list({ organizationId }: TenantScope, page: Page): Promise<PersonEntity[]> {
    return this.dataSource.manager.find(PersonEntity, {
      where: { organizationId, ...afterCursor(page) },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  async find({ organizationId }: TenantScope, id: string): Promise<PersonEntity | null> {
    return isId(id) ? this.dataSource.manager.findOneBy(PersonEntity, { id, organizationId }) : null;
  }

  /** Replaces the link of a person. */
  async setLink(scope: TenantScope, id: string, link: PersonLink): Promise<PersonEntity | null> {
    if (!isId(id)) return null;
    const { organizationId } = scope;
    await this.dataSource.manager.update(PersonEntity, { id, organizationId }, { ...link });
    return this.find(scope, id);
  }

  async changeRole(scope: TenantScope, id: string, role: Role): Promise<PersonChange> {
    return this.keepingAnOwner(scope, id, role !== 'owner', async (manager, person) => {
      await manager.update(PersonEntity, { id }, { role });
      return { ...person, role };
    });
  }

  /** Removes a person, and ends the sessions. */
  async remove(scope: TenantScope, id: string): Promise<PersonChange> {
    return this.keepingAnOwner(scope, id, true, async (manager, person) => {
      await manager.delete(PersonEntity, { id });
      return person;
    });
  }

  /**
   * Changes what a person says of oneself. The e-mail and the password are those of the account, and so of all its people. A
   * person without account gets one with the first password. A new password ends all sessions of these people but one. Nobody
   * has verified the new e-mail.
   *
   * @param account of the person, whose password was checked; null if the person has none
   * @returns refuses with `email-taken` if another person of one of the organizations has the e-mail; with `password-changed` if the
   * account has another password, or the person another account
   */
  async update(
    { organizationId }: TenantScope,
    id: string,
    { email, passwordHash, ...own }: ProfileFields,
    { sessionId, account }: { sessionId: string; account: CheckedAccount | null },
  ): Promise<Result<undefined, 'email-taken' | 'password-changed'>> {
    const change = async (manager: EntityManager): Promise<Result<undefined, 'password-changed'>> => {
      // TypeORM refuses an update of nothing.
      const fields = { organizationId, ...valuesOf<PersonEntity>(own) };
      await manager.update(PersonEntity, { id, organizationId }, fields);
      if (email === undefined && passwordHash === undefined) return done();
      const person = await manager.findOneBy(PersonEntity, { id, organizationId });
      if (person === null) return done();
      if (person.accountId !== (account?.id ?? null)) return refuse('password-changed');
      return changeCredentials(manager, { person, account, sessionId }, { email, passwordHash });
    };
    return attempt<undefined, 'email-taken' | 'password-changed'>(this.dataSource, change, {
      ifTaken: 'email-taken',
    });
  }

  /** Stores an e-mail to which a link is sent. It replaces the one before. */
  async proposeEmail(
    { organizationId }: TenantScope,
    id: string,
    { email, hash, expiresAt }: { email: string; hash: string; expiresAt: Date },
  ): Promise<void> {
    const next = { nextEmail: email, nextEmailHash: hash, nextEmailExpiresAt: expiresAt };
    await this.dataSource.manager.update(PersonEntity, { id, organizationId }, next);
  }

  /**
   * Changes the e-mail of a person and its account to the one whose link was opened.
   *
   * @returns refuses with `unusable` if the link is not that of the person, was used before, or has expired; with `email-taken` if another account
   * has verified the e-mail, or another person of one of the organizations has it
   */
  async confirmEmail(
    { organizationId }: TenantScope,
    id: string,
    { hash, sessionId }: { hash: string; sessionId: string },
  ): Promise<Result<undefined, 'unusable' | 'email-taken'>> {
    const change = async (manager: EntityManager): Promise<Result<undefined, 'unusable'>> => {
      const lock = { mode: 'pessimistic_write' } as const;
      const where = { id, organizationId, nextEmailHash: hash, nextEmailExpiresAt: MoreThan(new Date()) };
      const person = await manager.findOne(PersonEntity, { where, lock });
      if (!person?.nextEmail) return refuse('unusable');
      const account =
        person.accountId === null
          ? null
          : await manager.findOneByOrFail(AccountEntity, { id: person.accountId });
      const changes = { email: person.nextEmail, isVerified: true };
      const changed = await changeCredentials(manager, { person, account, sessionId }, changes);
      return changed.ok ? changed : refuse('unusable');
    };
    return attempt<undefined, 'unusable' | 'email-taken'>(this.dataSource, change, {
      ifTaken: 'email-taken',
    });
  }

  /** Whether an owner of the organization has ever signed in. */
  async hasSignedInOwner(organizationId: string): Promise<boolean> {
    const people = this.dataSource.getRepository(PersonEntity);
    return people.existsBy({ organizationId, role: 'owner', signedInAt: Not(IsNull()) });
  }

  /** The owner who has been there longest. Creates one without e-mail and password if no owner has signed in yet. */
  async firstOwner(organizationId: string): Promise<PersonEntity> {
    const people = this.dataSource.getRepository(PersonEntity);
    const owner = { organizationId, role: 'owner' } as const;
    const first = await people.findOne({
      where: { ...owner, signedInAt: Not(IsNull()), disabledAt: IsNull() },
      order: { id: 'ASC' },
    });
    if (first) return first;
    const id = newId();
    await people.insert({ id, ...owner, signedInAt: new Date() });
    return people.findOneByOrFail({ id });
  }

  /** Changes a person, unless that would leave an organization that has an owner without one. */
  private async keepingAnOwner(
    { organizationId }: TenantScope,
    id: string,
    losesOwner: boolean,
    change: (manager: EntityManager, person: PersonEntity) => Promise<PersonEntity>,
  ): Promise<PersonChange> {
    if (!isId(id)) return refuse('not-found');
    return attempt<PersonEntity, 'not-found' | 'last-owner'>(this.dataSource, async (manager) => {
      // The locks let only one of two owners who remove each other at the same time succeed.
      const owners = await activeOwners(manager, organizationId);
      const person = await manager.findOneBy(PersonEntity, { id, organizationId });
      if (person === null) return refuse('not-found');
      if (losesOwner && owners.length === 1 && owners[0]?.id === id) return refuse('last-owner');
      return done(await change(manager, person));
    });
  }
}

/** The owners who have signed in and still can, locked, oldest first. An invitation alone does not make an owner. */
export async function activeOwners(
  manager: EntityManager,
  organizationId: string,
): Promise<{ id: string }[]> {
  return queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM people WHERE organization_id = ${organizationId} AND role = 'owner'
           AND signed_in_at IS NOT NULL AND disabled_at IS NULL ORDER BY id FOR UPDATE`,
  );
}
