import type { IncomingHttpHeaders } from 'node:http';
import type { OwnOrganization, OwnSession, Session, SignIn } from '@citewell/contracts/schemas';
import {
  AccountRepository,
  describeKey,
  generateKey,
  type Membership,
  OrganizationRepository,
  PersonRepository,
  type SessionEntity,
  SessionRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, unwrap } from '../../http/api-error.js';
import { type Caller, personOf } from '../../http/caller.js';
import { CredentialChecker } from './credential-checker.service.js';
import type { SignInSubject } from './sign-in-subject.js';
import { toProfile } from './profile.service.js';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const MAX_USER_AGENT_LENGTH = 255;

/** The browser that signs in. */
export interface Browser {
  ip: string;
  headers: IncomingHttpHeaders;
  /** The token of the session that it had before. */
  token: string | null;
}

export interface BegunSession {
  token: string;
  maxAgeSeconds: number;
}

/** Sessions of browsers. A session has the scopes of its person's role, or of the API key that began it. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(PersonRepository) private readonly people: PersonRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(CredentialChecker) private readonly checker: CredentialChecker,
  ) {}

  /** @throws {@link ApiError} as {@link CredentialChecker.check} does */
  async signIn(credentials: SignIn, browser: Browser): Promise<BegunSession> {
    return this.begin(await this.checker.check(credentials, browser), browser);
  }

  async read({ tenant, scopes, person }: Caller): Promise<Session> {
    const [organization, profile, memberships] = await Promise.all([
      this.organizations.find(tenant.organizationId),
      person && this.people.find(tenant, person.id),
      person?.accountId ? this.accounts.memberships(person.accountId) : [],
    ]);
    const { id, name, ownersReadConversationsSince: since } = found(organization, 'organization');
    return {
      organization: { id, name, ownersReadConversationsSince: since?.toISOString() ?? null },
      organizations: memberships.map(toOwnOrganization),
      scopes: [...scopes],
      person: profile && toProfile(profile),
      identityProvider: person?.identityProvider ?? null,
    };
  }

  /**
   * Ends the session of an account, and begins one in another of its organizations, until the same moment.
   *
   * @throws {@link ApiError} `FORBIDDEN` for a session without account; `NOT_FOUND` for an organization that the account is
   * not in; `UNAUTHORIZED` if the session has ended
   */
  async switchTo(caller: Caller, organizationId: string): Promise<BegunSession> {
    const { sessionId, accountId } = personOf(caller);
    if (accountId === null)
      throw new ApiError(
        'FORBIDDEN',
        'This session belongs to one organization. Sign in with e-mail and password to change to another one.',
      );
    const memberships = await this.accounts.memberships(accountId);
    const { personId } = found(
      memberships.find((membership) => membership.organizationId === organizationId) ?? null,
      'organization',
    );
    const token = generateKey();
    const to = { personId, organizationId, hash: describeKey(token).hash };
    const begun = await this.sessions.replace({ sessionId, accountId }, to);
    const { expiresAt } = unwrap(begun, {
      ended: () => new ApiError('UNAUTHORIZED', 'The session has ended.'),
    });
    return { token, maxAgeSeconds: secondsUntil(expiresAt) };
  }

  async signOut(token: string): Promise<void> {
    await this.sessions.remove(describeKey(token).hash);
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
    return toOwnSession(session, person.sessionId);
  }

  /** The session that the browser had before ends. */
  private async begin(subject: SignInSubject, { token: before, headers }: Browser): Promise<BegunSession> {
    if (before !== null) await this.signOut(before);
    const { expiresAt, ...owner } = subject;
    const ends = Math.min(Date.now() + LIFETIME_MS, expiresAt?.getTime() ?? Infinity);
    const token = generateKey();
    const begun = await this.sessions.create({
      ...owner,
      hash: describeKey(token).hash,
      expiresAt: new Date(ends),
      userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    });
    unwrap(begun, {
      'credentials-changed': () =>
        new ApiError('UNAUTHORIZED', 'The account has changed during the sign-in. Sign in again.'),
    });
    return { token, maxAgeSeconds: secondsUntil(new Date(ends)) };
  }
}

function secondsUntil(time: Date): number {
  return Math.floor((time.getTime() - Date.now()) / 1_000);
}

function toOwnOrganization({ organizationId, organizationName, role }: Membership): OwnOrganization {
  return { id: organizationId, name: organizationName, role };
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
