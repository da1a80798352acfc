import type { OwnSession, Session, SignIn } from '@citewell/contracts/schemas';
import {
  describeKey,
  generateKey,
  OrganizationRepository,
  type PersonEntity,
  PersonRepository,
  type SessionEntity,
  SessionRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found } from '../http/api-error.js';
import { Authenticator } from '../http/authenticator.js';
import { type Caller, personOf } from '../http/caller.js';
import { hashPassword, isPassword } from './passwords.js';
import { toProfile } from './profile.service.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignInLimiter } from './sign-in-limiter.js';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const MAX_USER_AGENT_LENGTH = 255;

/** The browser that signs in. */
export interface Browser {
  address: string;
  userAgent: string | undefined;
  /** The token of the session that it had before. */
  token: string | null;
}

export interface BegunSession {
  token: string;
  maxAgeSeconds: number;
}

/** Who may begin a session. */
type Known = { organizationId: string; expiresAt: Date | null } & (
  { apiKeyId: string } | { personId: string }
);

/** Sessions of browsers. A session has the scopes of its person's role, or of the API key that began it. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(SignInCodes) private readonly codes: SignInCodes,
    @Inject(SignInLimiter) private readonly limiter: SignInLimiter,
  ) {}

  /**
   * @throws {@link ApiError} `UNAUTHORIZED` for an unknown key, a code that is unknown, used or expired, a wrong e-mail or
   * password, or a token that is unknown, used or expired; `FORBIDDEN` for a publishable key; `RATE_LIMIT` after many failed attempts
   */
  async signIn(credentials: SignIn, browser: Browser): Promise<BegunSession> {
    const takeBack = this.limiter.count(browser.address, credentials.email);
    const known = await this.authenticate(credentials);
    takeBack();
    return this.begin(known, browser);
  }

  async read({ tenant, scopes, person }: Caller): Promise<Session> {
    const [organization, profile] = await Promise.all([
      this.organizations.find(tenant.organizationId),
      person && this.people.find(tenant, person.id),
    ]);
    const { id, name } = found(organization, 'organization');
    return { organization: { id, name }, scopes: [...scopes], person: profile && toProfile(profile) };
  }

  async signOut(token: string): Promise<void> {
    await this.sessions.remove(describeKey(token).hash);
    this.authenticator.clearCache();
  }

  /** The sessions of the person who is signed in. */
  async list(caller: Caller): Promise<OwnSession[]> {
    const { id, sessionId } = personOf(caller);
    const sessions = await this.sessions.ofPerson(caller.tenant, id);
    return sessions.map((session) => toOwnSession(session, sessionId));
  }

  /** Ends a session of the person who is signed in. */
  async end(caller: Caller, id: string): Promise<OwnSession> {
    const person = personOf(caller);
    const session = found(await this.sessions.removeOfPerson(caller.tenant, person.id, id), 'session');
    this.authenticator.clearCache();
    return toOwnSession(session, person.sessionId);
  }

  /** The session that the browser had before ends. */
  private async begin(known: Known, { token: before, userAgent }: Browser): Promise<BegunSession> {
    if (before !== null) await this.signOut(before);
    const { expiresAt, ...owner } = known;
    const ends = Math.min(Date.now() + LIFETIME_MS, expiresAt?.getTime() ?? Infinity);
    const token = generateKey();
    await this.sessions.create({
      ...owner,
      hash: describeKey(token).hash,
      expiresAt: new Date(ends),
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    });
    return { token, maxAgeSeconds: Math.floor((ends - Date.now()) / 1_000) };
  }

  private async authenticate({ key, code, email, token, password = '', name }: SignIn): Promise<Known> {
    if (email !== undefined) {
      const person = await this.people.withEmail(email);
      if ((await isPassword(password, person?.passwordHash ?? null)) && person) return asKnown(person);
      throw new ApiError('UNAUTHORIZED', 'The e-mail or the password is wrong.');
    }
    if (token !== undefined) return this.redeem(token, password, name ?? null);
    if (code !== undefined) {
      const organizationId = this.codes.redeem(code);
      if (organizationId !== null) return asKnown(await this.people.firstOwner(organizationId));
      throw new ApiError('UNAUTHORIZED', 'This sign-in link was used before, or is too old.');
    }
    const known = await this.organizations.authenticate(describeKey(key ?? '').hash);
    if (!known)
      throw new ApiError(
        'UNAUTHORIZED',
        'This API key is not valid. Check that it is complete and has not been revoked.',
      );
    if (known.publishable)
      throw new ApiError('FORBIDDEN', 'A publishable key cannot sign in. Use an API key with scopes.');
    return { organizationId: known.organizationId, apiKeyId: known.id, expiresAt: known.expiresAt };
  }

  /** Sets the password of the person with a link. */
  private async redeem(token: string, password: string, name: string | null): Promise<Known> {
    const { hash } = describeKey(token);
    // Only a valid token is worth the time of a hash.
    const person = (await this.people.hasLink(hash))
      ? await this.people.redeemLink(hash, { passwordHash: await hashPassword(password), name })
      : null;
    if (person === null)
      throw new ApiError('UNAUTHORIZED', 'This link was used before, or is too old. Ask for another one.');
    this.authenticator.clearCache();
    return asKnown(person);
  }
}

function asKnown({ organizationId, id }: PersonEntity): Known {
  return { organizationId, personId: id, expiresAt: null };
}

function toOwnSession({ id, userAgent, createdAt, expiresAt }: SessionEntity, currentId: string): OwnSession {
  return {
    id,
    userAgent,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isCurrent: id === currentId,
  };
}
