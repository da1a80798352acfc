import {
  AccountRepository,
  type CheckedAccount,
  describeKey,
  PasswordResetRepository,
  PersonRepository,
  type Redemption,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, unwrap } from '../../http/api-error.js';
import { signInSubjectOf, type SignInSubject } from './sign-in-subject.js';
import { accountWithPassword, hashPassword } from './passwords.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** Uses the links up with which people join an organization, or get a new password. */
@Injectable()
export class LinkRedeemer {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(PasswordResetRepository) private readonly resets: PasswordResetRepository,
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(SignInCodes) private readonly codes: SignInCodes,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * Sets the password of the person with a link of an owner. Who has an account already joins the organization with its
   * password: the holder of an invitation does not get into other organizations. An account that has not verified the e-mail is
   * joined with its password, too, but does not keep another one from being created.
   *
   * @throws {@link ApiError} `UNAUTHORIZED`; `CONFLICT` if an account with another password has verified the e-mail; `RATE_LIMIT`
   */
  async ofOwner(token: string, password: string, name: string | null): Promise<SignInSubject> {
    const { hash } = describeKey(token);
    // Only a valid token is worth the time of a hash.
    const linked = await this.accounts.withLink(hash);
    if (linked === null) throw unusable();
    const { account, isOwn, email } = linked;
    const candidates = isOwn ? [] : await this.accounts.allWithEmail(email);
    if (candidates.length > 0) {
      const takeBack = this.limiter.countAccount(email);
      const known = await accountWithPassword(password, candidates);
      if (known !== null) {
        takeBack();
        return afterLink(await this.accounts.join(hash, known), known.passwordHash);
      }
      if (account !== null) throw accountExists();
    }
    const passwordHash = await hashPassword(password);
    return afterLink(await this.accounts.redeemLink(hash, { passwordHash, name }), passwordHash);
  }

  /**
   * Signs in the first owner of the organization, with a link that the server has printed.
   *
   * @throws {@link ApiError} `UNAUTHORIZED`
   */
  async ofServer(code: string): Promise<SignInSubject> {
    const organizationId = this.codes.redeem(code);
    if (organizationId === null)
      throw new ApiError('UNAUTHORIZED', 'This sign-in link was used before, or is too old.');
    const { id } = await this.people.firstOwner(organizationId);
    return signInSubjectOf({ organizationId, personId: id }, null);
  }

  /**
   * Sets the password of the account to which a link was sent by e-mail.
   *
   * @throws {@link ApiError} `UNAUTHORIZED`
   */
  async ofMail(token: string, password: string): Promise<SignInSubject> {
    const { hash } = describeKey(token);
    if (await this.resets.isValid(hash)) {
      const passwordHash = await hashPassword(password);
      const id = await this.resets.redeem(hash, passwordHash);
      const [membership] = id === null ? [] : await this.accounts.memberships(id);
      if (id !== null && membership) return signInSubjectOf(membership, { id, passwordHash });
    }
    throw unusable();
  }
}

function afterLink(redemption: Redemption, passwordHash: string): SignInSubject {
  const { person, accountId } = unwrap(redemption, { unusable, 'account-exists': accountExists });
  const account: CheckedAccount = { id: accountId, passwordHash };
  return signInSubjectOf({ organizationId: person.organizationId, personId: person.id }, account);
}

function unusable(): ApiError {
  return new ApiError('UNAUTHORIZED', 'This link was used before, or is too old. Ask for another one.');
}

function accountExists(): ApiError {
  return new ApiError(
    'CONFLICT',
    'There is an account with this e-mail already. Accept the invitation with the password of this account.',
  );
}
