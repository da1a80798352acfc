import type { IncomingHttpHeaders } from 'node:http';
import type { SignIn } from '@citewell/contracts/schemas';
import { AccountRepository, describeKey, OrganizationRepository } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';
import { signInSubjectOf, type SignInSubject } from './sign-in-subject.js';
import { LinkRedeemer } from './link-redeemer.service.js';
import { PasskeyCeremony } from './passkey-ceremony.service.js';
import { accountWithPassword } from './passwords.js';
import { SignInLimiter } from './sign-in-limiter.js';

/** Checks credentials of all kinds. */
@Injectable()
export class CredentialChecker {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(LinkRedeemer) private readonly links: LinkRedeemer,
    @Inject(PasskeyCeremony) private readonly passkeys: PasskeyCeremony,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * @param client address and headers of the request
   * @throws {@link ApiError} `UNAUTHORIZED` for an unknown key, a code that is unknown, used or expired, a wrong e-mail or
   * password, or a token that is unknown, used or expired; `FORBIDDEN` for a publishable key; `CONFLICT` for an invitation of
   * somebody who has an account with another password; `RATE_LIMIT` after many failed attempts
   */
  async check(
    credentials: SignIn,
    { ip, headers }: { ip: string; headers: IncomingHttpHeaders },
  ): Promise<SignInSubject> {
    const takeBack = this.limiter.count(ip, credentials.email);
    const known =
      credentials.passkey === undefined
        ? await this.authenticate(credentials)
        : await this.passkeys.signIn(credentials.passkey, headers);
    takeBack();
    return known;
  }

  private async authenticate({
    key,
    code,
    email,
    token,
    reset,
    password = '',
    name,
  }: SignIn): Promise<SignInSubject> {
    if (email !== undefined) return this.withPassword(email, password);
    if (token !== undefined) return this.links.ofOwner(token, password, name ?? null);
    if (reset !== undefined) return this.links.ofMail(reset, password);
    if (code !== undefined) return this.links.ofServer(code);
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
  private async withPassword(email: string, password: string): Promise<SignInSubject> {
    const account = await accountWithPassword(password, await this.accounts.allWithEmail(email));
    if (account) {
      const [membership] = await this.accounts.memberships(account.id);
      if (membership) return signInSubjectOf(membership, account);
    }
    throw new ApiError('UNAUTHORIZED', 'The e-mail or the password is wrong.');
  }
}
