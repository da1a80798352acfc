import type { ChangeProfile, Profile } from '@citewell/contracts/schemas';
import {
  type AccountEntity,
  AccountRepository,
  type PersonEntity,
  PersonRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, invalid, unwrap } from '../../http/api-error.js';
import { type Caller, personOf } from '../../http/caller.js';
import { EmailChanges } from './email-changes.service.js';
import { hashPassword, isPassword } from './passwords.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** What people change of their own account. */
@Injectable()
export class ProfileService {
  constructor(
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
    @Inject(EmailChanges) private readonly emailChanges: EmailChanges,
  ) {}

  /**
   * With a mail server, a new e-mail waits until its link is opened. The answer does not tell whether another organization has
   * somebody with the e-mail.
   *
   * @param address of the client
   * @throws {@link ApiError} `FORBIDDEN` for an API key, and for e-mail and password of a person who signed in at a provider; `INVALID_REQUEST` for a wrong current password, a password without
   * e-mail, or an unusable token; `CONFLICT` for an e-mail of another person of the organization, without a mail server, and
   * for the token of an e-mail of somebody else; `RATE_LIMIT`
   */
  async change(
    caller: Caller,
    { password, currentPassword, emailToken, ...fields }: ChangeProfile,
    address: string,
  ): Promise<Profile> {
    const { id, sessionId, identityProvider } = personOf(caller);
    // Whoever decides about people at a provider would get into the account here, which may have other organizations.
    if (
      identityProvider !== null &&
      [password, fields.email, emailToken].some((field) => field !== undefined)
    )
      throw new ApiError(
        'FORBIDDEN',
        'You sign in at an identity provider, which keeps e-mail and password.',
      );
    const { tenant } = caller;
    if (emailToken !== undefined) await this.emailChanges.confirm(tenant, { id, sessionId }, emailToken);
    const person = found(await this.people.find(tenant, id), 'person');
    const account = person.accountId === null ? null : await this.accounts.find(person.accountId);
    const email = fields.email === person.email ? undefined : fields.email;
    if (password !== undefined || email !== undefined)
      await this.assertPassword({ account, email: person.email }, currentPassword, address);
    if (password !== undefined && (email ?? person.email) === null)
      throw invalid('email', 'is required with a password');
    if (email !== undefined) this.emailChanges.count(id, email);
    const isMailed = email !== undefined && this.emailChanges.areMailed;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const changes = { ...fields, email: isMailed ? undefined : email, passwordHash };
    unwrap(await this.people.update(tenant, id, changes, { sessionId, account }), {
      'email-taken': () => new ApiError('CONFLICT', 'Another person of the organization has this e-mail.'),
      'password-changed': () => invalid('currentPassword', 'is wrong'),
    });
    const profile = toProfile(found(await this.people.find(tenant, id), 'person'));
    if (!isMailed) return profile;
    await this.emailChanges.send(tenant, id, email, profile.language ?? 'en');
    return { ...profile, emailToConfirm: email };
  }

  private async assertPassword(
    { account, email }: { account: AccountEntity | null; email: string | null },
    currentPassword: string | undefined,
    address: string,
  ): Promise<void> {
    if (account === null) return;
    if (currentPassword === undefined)
      throw invalid('currentPassword', 'is required to change the e-mail or the password');
    const takeBack = this.limiter.count(address, email ?? account.id);
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
