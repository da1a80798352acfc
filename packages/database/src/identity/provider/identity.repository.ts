import type { Role } from '@citewell/contracts/schemas';
import { type DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { isUniqueViolation } from '../../connection/database-unavailable.js';
import { newId } from '../../connection/new-id.js';
import { done, refuse, type Result } from '../../connection/result.js';
import {
  ApiKeyEntity,
  IdentityEntity,
  type IdentityProviderEntity,
  PersonEntity,
  SessionEntity,
} from '../../schema/identity.entities.js';
import { activeOwners } from '../people/person.repository.js';

/** What a provider says of a person. */
export interface ProviderClaims {
  subject: string;
  /** In lower case. Null if it is missing, or if the provider does not vouch for it. */
  verifiedEmail: string | null;
  name: string | null;
  /** The highest role of the groups; null if none is mapped. `unknown` if the provider has not sent the groups. */
  groupRole: Role | null | 'unknown';
}

/** The person, or why somebody of a provider does not get in. */
export type Admission = Result<
  PersonEntity,
  'email-missing' | 'email-taken' | 'not-invited' | 'owner-exists' | 'groups-unknown'
>;

/** The people of providers. */
export class IdentityRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Finds or creates the person, and changes the role:
   *
   * - The subject decides who somebody is. At the first sign-in, a verified e-mail finds a person of the organization.
   * - An e-mail that a person has only asserted in the profile finds nobody: it could be that of somebody else.
   * - A person has one subject at a provider. A second one with the same e-mail is somebody else, who got the e-mail later.
   * - An owner is found by e-mail only if the groups make an owner, too. Otherwise who decides about e-mails at the provider
   *   could become an owner.
   * - A mapped group sets the role. A role that groups have given ends with them. Without another role, so
   *   do the tokens and the sessions of the person. The last owner stays one.
   *
   * @param options.onlyKnown refuses people who have not signed in before
   */
  async admit(
    provider: IdentityProviderEntity,
    claims: ProviderClaims,
    options: { onlyKnown?: boolean } = {},
  ): Promise<Admission> {
    try {
      return await this.admitOnce(provider, claims, options);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    // Another request may have created the same person at the same time.
    try {
      return await this.admitOnce(provider, claims, options);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return refuse('email-taken');
    }
  }

  /** Ends what somebody has whom the provider does not know any more. The last owner stays one. */
  async withdraw(provider: IdentityProviderEntity, subject: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const owners = await activeOwners(manager, provider.organizationId);
      const identity = await manager.findOneBy(IdentityEntity, { providerId: provider.id, subject });
      const person = identity && (await manager.findOneBy(PersonEntity, { id: identity.personId }));
      if (!person || (owners.length === 1 && owners[0]?.id === person.id)) return;
      await endRights(manager, person, identity.groupRole);
    });
  }

  private async admitOnce(
    provider: IdentityProviderEntity,
    claims: ProviderClaims,
    { onlyKnown = false }: { onlyKnown?: boolean },
  ): Promise<Admission> {
    return this.dataSource.transaction(async (manager) => {
      // The same locks in the same order as a change of a role by an owner.
      const owners = await activeOwners(manager, provider.organizationId);
      const known = await knownPerson(manager, provider, claims);
      if (known === null && onlyKnown) return refuse('not-invited');
      const found = known ?? (await newIdentity(manager, provider, claims));
      if (!found.ok) return found;
      const { person, identity } = found.value;
      const role = nextRole(person.role, identity.groupRole, claims.groupRole, provider.defaultRole);
      const isLastOwner = owners.length === 1 && owners[0]?.id === person.id;
      if (role === null) {
        if (!isLastOwner) await endRights(manager, person, identity.groupRole);
        return refuse('not-invited');
      }
      if (role !== person.role && !isLastOwner) {
        await manager.update(PersonEntity, { id: person.id }, { role });
        person.role = role;
      }
      if (claims.groupRole !== 'unknown' && claims.groupRole !== identity.groupRole)
        await manager.update(
          IdentityEntity,
          { providerId: provider.id, subject: claims.subject },
          { groupRole: claims.groupRole },
        );
      return done(person);
    });
  }
}

/** Ends the role that a group gave, the tokens and the sessions of a person. A role of a hand stays. */
async function endRights(
  manager: EntityManager,
  { id: personId, organizationId, role }: PersonEntity,
  groupRole: Role | null,
): Promise<void> {
  if (role === groupRole) {
    await manager.update(PersonEntity, { id: personId }, { role: 'member' });
    // It still counts as the role of a group, which ends at the next sign-in without one.
    await manager.update(IdentityEntity, { personId, groupRole: Not(IsNull()) }, { groupRole: 'member' });
  }
  await manager.delete(ApiKeyEntity, { organizationId, personId });
  await manager.delete(SessionEntity, { organizationId, personId });
}

interface Found {
  person: PersonEntity;
  identity: Pick<IdentityEntity, 'groupRole'>;
}

type Refused = Exclude<Admission, { ok: true }>['reason'];

async function knownPerson(
  manager: EntityManager,
  { id: providerId }: IdentityProviderEntity,
  { subject, name, verifiedEmail }: ProviderClaims,
): Promise<Result<Found, never> | null> {
  const identity = await manager.findOneBy(IdentityEntity, { providerId, subject });
  if (identity === null) return null;
  const person = await manager.findOneByOrFail(PersonEntity, { id: identity.personId });
  if (person.name === null && name !== null) await manager.update(PersonEntity, { id: person.id }, { name });
  if (person.emailClaimed && person.email === verifiedEmail)
    await manager.update(PersonEntity, { id: person.id }, { emailClaimed: false });
  return done({ person, identity });
}

async function newIdentity(
  manager: EntityManager,
  { id: providerId, organizationId, defaultRole }: IdentityProviderEntity,
  { subject, verifiedEmail: email, name, groupRole }: ProviderClaims,
): Promise<Result<Found, Refused>> {
  if (email === null) return refuse('email-missing');
  // The lock lets only one of two subjects with the same e-mail be linked to the person.
  const lock = { mode: 'pessimistic_write' } as const;
  let person = await manager.findOne(PersonEntity, { where: { organizationId, email }, lock });
  if (person?.role === 'owner' && groupRole !== 'owner') return refuse('owner-exists');
  if (person?.emailClaimed) return refuse('email-taken');
  const other = person && (await manager.findOneBy(IdentityEntity, { providerId, personId: person.id }));
  // Another request may have linked the same subject at the same time.
  if (person && other?.subject === subject) return done({ person, identity: other });
  if (other) return refuse('email-taken');
  if (person === null) {
    if (groupRole === 'unknown') return refuse('groups-unknown');
    const role = groupRole ?? defaultRole;
    if (role === null) return refuse('not-invited');
    const id = newId();
    await manager.insert(PersonEntity, { id, organizationId, email, name, role });
    person = await manager.findOneByOrFail(PersonEntity, { id });
  }
  const identity = { groupRole: null };
  await manager.insert(IdentityEntity, {
    providerId,
    subject,
    organizationId,
    personId: person.id,
    ...identity,
  });
  return done({ person, identity });
}

/**
 * @param before the role that the groups gave the last time
 * @param mapped the role that they give now
 * @returns null if the person has no role any more
 */
export function nextRole(
  present: Role,
  before: Role | null,
  mapped: ProviderClaims['groupRole'],
  defaultRole: Role | null,
): Role | null {
  if (mapped === 'unknown') return present;
  if (mapped !== null) return mapped;
  // An owner has changed the role since, or groups have never given it.
  if (before === null || before !== present) return present;
  return defaultRole;
}
