import type {
  ChangePerson,
  CreatePersonLink,
  InvitePerson,
  PageQuery,
  Person,
  PersonWithToken,
} from '@citewell/contracts/schemas';
import {
  AccountRepository,
  describeKey,
  generateKey,
  type PersonChange,
  type PersonEntity,
  type PersonLink,
  PersonRepository,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound, unwrap } from '../../http/api-error.js';
import { InvitationMails } from './invitation-mails.service.js';

const DAY_MS = 24 * 60 * 60_000;

/** Invites, lists, changes and removes the people of an organization. */
@Injectable()
export class PeopleService {
  constructor(
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(InvitationMails) private readonly mails: InvitationMails,
  ) {}

  /** @throws {@link ApiError} `CONFLICT` if another person of the organization has this e-mail, or the server sends no mails */
  async invite(
    tenant: TenantScope,
    { email, role, expiresInDays, sendMail, language = 'en' }: InvitePerson,
  ): Promise<PersonWithToken> {
    if (sendMail) this.mails.take(tenant);
    const { token, link } = newLink(expiresInDays);
    const person = unwrap(await this.people.invite(tenant, { email, role, ...link }), {
      'email-taken': () =>
        new ApiError(
          'CONFLICT',
          'A person with this e-mail exists already. Create a new link for this person.',
        ),
    });
    if (sendMail) {
      const inviter = tenant.reader && (await this.people.find(tenant, tenant.reader.personId));
      await this.mails.send(tenant, {
        email,
        token,
        expiresAt: link.linkExpiresAt,
        language,
        inviter: inviter && (inviter.name ?? inviter.email),
      });
    }
    return { ...toPerson(person), token };
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<Person[]> {
    return (await this.people.list(tenant, page)).map(toPerson);
  }

  /**
   * A link with which the person sets a password, in place of the one before.
   *
   * @throws {@link ApiError} `NOT_FOUND`; `CONFLICT` for a person without e-mail, who could not sign in with a password,
   * and for one whose account is in several organizations: no organization sets a password with which one gets into another one
   */
  async createLink(
    tenant: TenantScope,
    id: string,
    { expiresInDays }: CreatePersonLink,
  ): Promise<PersonWithToken> {
    const { email, accountId } = found(await this.people.find(tenant, id), 'person');
    if (email === null)
      throw new ApiError('CONFLICT', 'This person has no e-mail, and signs in with the link of the server.');
    if (accountId !== null && (await this.accounts.countPeople(accountId)) > 1)
      throw new ApiError(
        'CONFLICT',
        'The account of this person is in other organizations, too, so an owner cannot set its password. The person can ask for a link on the sign-in page if the server sends e-mail. Otherwise the operator creates one: citewell accounts reset.',
      );
    const { token, link } = newLink(expiresInDays);
    return { ...toPerson(found(await this.people.setLink(tenant, id, link), 'person')), token };
  }

  /** @throws {@link ApiError} `NOT_FOUND`, `CONFLICT` for the last owner */
  async change(tenant: TenantScope, id: string, { role }: ChangePerson): Promise<Person> {
    return changed(await this.people.changeRole(tenant, id, role));
  }

  /** @throws {@link ApiError} `NOT_FOUND`, `CONFLICT` for the last owner */
  async remove(tenant: TenantScope, id: string): Promise<Person> {
    return changed(await this.people.remove(tenant, id));
  }
}

function changed(change: PersonChange): Person {
  const person = unwrap(change, {
    'not-found': () => notFound('person'),
    'last-owner': () =>
      new ApiError(
        'CONFLICT',
        'This is the last owner. Make another person an owner first, who has to have signed in.',
      ),
  });
  return toPerson(person);
}

function newLink(days: number): { token: string; link: PersonLink } {
  const token = generateKey();
  const linkExpiresAt = new Date(Date.now() + days * DAY_MS);
  return { token, link: { linkHash: describeKey(token).hash, linkExpiresAt } };
}

function toPerson({
  id,
  name,
  email,
  role,
  signedInAt,
  linkExpiresAt,
  disabledAt,
  createdAt,
}: PersonEntity): Person {
  return {
    id,
    name,
    email,
    role,
    lastSignInAt: signedInAt?.toISOString() ?? null,
    linkExpiresAt: linkExpiresAt?.toISOString() ?? null,
    disabled: disabledAt !== null,
    createdAt: createdAt.toISOString(),
  };
}
