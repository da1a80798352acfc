import type { Session, SignIn } from '@citewell/contracts/schemas';
import {
  type AuthenticatedKey,
  describeKey,
  generateKey,
  OrganizationRepository,
  SessionRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import type { Caller } from '../http/caller.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInLimiter } from './sign-in-limiter.js';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** Sessions of browsers. A session has the scopes of the API key that began it, and ends with the key. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(SignInCodes) private readonly codes: SignInCodes,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * @throws {@link ApiError} `UNAUTHORIZED` for an unknown key, or a code that is unknown, used or expired; `FORBIDDEN`
   * for a publishable key; `RATE_LIMIT` after many failed attempts
   */
  async signIn(
    credentials: SignIn,
    address: string,
  ): Promise<{ session: Session; token: string; maxAgeSeconds: number }> {
    const takeBack = this.limiter.count(address);
    const known = await this.authenticate(credentials);
    if (known.publishable)
      throw new ApiError('FORBIDDEN', 'A publishable key cannot sign in. Use an API key with scopes.');
    takeBack();
    const ends = Math.min(Date.now() + LIFETIME_MS, known.expiresAt?.getTime() ?? Infinity);
    const token = generateKey();
    await this.sessions.create(known, { hash: describeKey(token).hash, expiresAt: new Date(ends) });
    return {
      session: await this.describe(known.organizationId, known.scopes),
      token,
      maxAgeSeconds: Math.floor((ends - Date.now()) / 1_000),
    };
  }

  async read({ tenant, scopes }: Caller): Promise<Session> {
    return this.describe(tenant.organizationId, [...scopes]);
  }

  async signOut(token: string): Promise<void> {
    await this.sessions.remove(describeKey(token).hash);
    this.authenticator.clearCache();
  }

  private async authenticate({ key, code }: SignIn): Promise<AuthenticatedKey> {
    const known =
      code === undefined
        ? await this.organizations.authenticate(describeKey(key ?? '').hash)
        : this.codes.redeem(code);
    if (known) return known;
    throw new ApiError(
      'UNAUTHORIZED',
      code === undefined
        ? 'This API key is not valid. Check that it is complete and has not been revoked.'
        : 'This sign-in link was used before, or is too old.',
    );
  }

  private async describe(organizationId: string, scopes: readonly string[]): Promise<Session> {
    const { id, name } = found(await this.organizations.find(organizationId), 'organization');
    return { organization: { id, name }, scopes: [...scopes] };
  }
}
