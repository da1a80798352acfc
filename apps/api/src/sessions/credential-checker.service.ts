import type { SignIn } from '@citewell/contracts/schemas';
import {
  AccountRepository,
  type CheckedAccount,
  describeKey,
  OrganizationRepository,
  type PersonEntity,
  PersonRepository,
  type Redemption,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import { hashPassword, isPassword } from './passwords.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** Who may begin a session, until when at most. */
export type Known = { organizationId: string; expiresAt: Date | null } & (
  { apiKeyId: string } | { personId: string; account: CheckedAccount | null }
);

/** Checks credentials, and uses links up. */
@Injectable()
export class CredentialChecker {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(SignInCodes) private readonly codes: SignInCodes,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * @param address of the client
   * @throws {@link ApiError} `UNAUTHORIZED` for an unknown key, a code that is unknown, used or expired, a wrong e-mail or
   * password, or a token that is unknown, used or expired; `FORBIDDEN` for a publishable key; `CONFLICT` for an invitation of
   * somebody who has an account with another password; `RATE_LIMIT` after many failed attempts
   */
  async check(credentials: SignIn, address: string): Promise<Known> {
    const takeBack = this.limiter.count(address, credentials.email);
    const known = await this.authenticate(credentials);
    takeBack();
    return known;
  }

  private async authenticate({ key, code, email, token, password = '', name }: SignIn): Promise<Known> {
    if (email !== undefined) return this.withPassword(email, password);
    if (token !== undefined) return this.withLink(token, password, name ?? null);
    if (code !== undefined) {
      const organizationId = this.codes.redeem(code);
      if (organizationId !== null) return asKnown(await this.people.firstOwner(organizationId), null);
      throw new ApiError('UNAUTHORIZED', 'This sign-in link was used before, or is too old.');
    }
    const known = await this.organizations.authenticate(describeKey(key ?? '').hash);
    if (!known)
      throw new ApiError(
        'UNAUTHORIZED',
        'This API key is not valid. Check that it is complete and has not been revoked.',
      );
    if (known.reader)
      throw new ApiError(
        'FORBIDDEN',
        'A personal access token cannot sign in. Programs send it with requests.',
      );
    if (known.publishable)
      throw new ApiError('FORBIDDEN', 'A publishable key cannot sign in. Use an API key with scopes.');
    return { organizationId: known.organizationId, apiKeyId: known.id, expiresAt: known.expiresAt };
  }

  /** The session begins in the organization that the account used last. */
  private async withPassword(email: string, password: string): Promise<Known> {
    const account = await this.accounts.withEmail(email);
    if ((await isPassword(password, account?.passwordHash ?? null)) && account) {
      const [membership] = await this.accounts.memberships(account.id);
      if (membership) return asKnown({ ...membership, id: membership.personId }, account);
    }
    throw new ApiError('UNAUTHORIZED', 'The e-mail or the password is wrong.');
  }

  /**
   * Sets the password of the person with a link. Who has an account already joins the organization with its password: the holder
   * of an invitation does not get into other organizations.
   */
  private async withLink(token: string, password: string, name: string | null): Promise<Known> {
    const { hash } = describeKey(token);
    // Only a valid token is worth the time of a hash.
    const linked = await this.accounts.withLink(hash);
    if (linked === null) return afterLink({ kind: 'unusable' }, '');
    const { account, isOwn, email } = linked;
    if (account === null || isOwn) {
      const passwordHash = await hashPassword(password);
      const redemption = await this.accounts.redeemLink(hash, { passwordHash, name });
      this.authenticator.clearCache();
      return afterLink(redemption, passwordHash);
    }
    const takeBack = this.limiter.countAccount(email);
    if (!(await isPassword(password, account.passwordHash))) return afterLink({ kind: 'account-exists' }, '');
    takeBack();
    return afterLink(await this.accounts.join(hash, account), account.passwordHash);
  }
}

function afterLink(redemption: Redemption, passwordHash: string): Known {
  switch (redemption.kind) {
    case 'redeemed':
      return asKnown(redemption.person, { id: redemption.accountId, passwordHash });
    case 'account-exists':
      throw new ApiError(
        'CONFLICT',
        'There is an account with this e-mail already. Accept the invitation with the password of this account.',
      );
    case 'unusable':
      throw new ApiError('UNAUTHORIZED', 'This link was used before, or is too old. Ask for another one.');
  }
}

function asKnown(
  { organizationId, id }: Pick<PersonEntity, 'organizationId' | 'id'>,
  account: CheckedAccount | null,
): Known {
  return { organizationId, personId: id, account, expiresAt: null };
}
