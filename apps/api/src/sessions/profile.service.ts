import type { ChangeProfile, Profile } from '@citewell/contracts/schemas';
import {
  type AccountEntity,
  AccountRepository,
  type PersonEntity,
  PersonRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import { type Caller, personOf } from '../http/caller.js';
import { hashPassword, isPassword } from './passwords.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** What people change of their own account. */
@Injectable()
export class ProfileService {
  constructor(
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * @param address of the client
   * @throws {@link ApiError} `FORBIDDEN` for an API key, and for e-mail and password of a person who signed in at a provider; `INVALID_REQUEST` for a wrong current password, or a password without
   * e-mail; `CONFLICT` for an e-mail of another person; `RATE_LIMIT`
   */
  async change(
    caller: Caller,
    { password, currentPassword, ...fields }: ChangeProfile,
    address: string,
  ): Promise<Profile> {
    const { id, sessionId, identityProvider } = personOf(caller);
    // Whoever decides about people at a provider would get into the account here, which may have other organizations.
    if (identityProvider !== null && (password !== undefined || fields.email !== undefined))
      throw new ApiError(
        'FORBIDDEN',
        'You sign in at an identity provider, which keeps e-mail and password.',
      );
    const { tenant } = caller;
    const person = found(await this.people.find(tenant, id), 'person');
    const account = person.accountId === null ? null : await this.accounts.find(person.accountId);
    const email = fields.email === person.email ? undefined : fields.email;
    if (password !== undefined || email !== undefined)
      await this.assertPassword(account, currentPassword, address);
    if (password !== undefined && (email ?? person.email) === null)
      throw invalid('email', 'is required with a password');
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const changes = { ...fields, email, passwordHash };
    switch (await this.people.update(tenant, id, changes, { sessionId, account })) {
      case 'email-taken':
        throw new ApiError('CONFLICT', 'Another person has this e-mail.');
      case 'password-changed':
        throw invalid('currentPassword', 'is wrong');
      case 'updated':
        this.authenticator.clearCache();
    }
    return toProfile(found(await this.people.find(tenant, id), 'person'));
  }

  private async assertPassword(
    account: AccountEntity | null,
    currentPassword: string | undefined,
    address: string,
  ): Promise<void> {
    if (account === null) return;
    if (currentPassword === undefined)
      throw invalid('currentPassword', 'is required to change the e-mail or the password');
    const takeBack = this.limiter.count(address, account.email);
    if (!(await isPassword(currentPassword, account.passwordHash)))
      throw invalid('currentPassword', 'is wrong');
    takeBack();
  }
}

export function toProfile({ id, name, email, role, language, accountId }: PersonEntity): Profile {
  return {
    id,
    name,
    email,
    role,
    language: language as Profile['language'],
    hasPassword: accountId !== null,
  };
}
