import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '@citewell/config';
import {
  type AuthenticatedKey,
  type AuthenticatedSession,
  type CallingKey,
  DataSource,
  describeKey,
  OrganizationRepository,
  Revocations,
  SessionRepository,
  TenantScope,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';
import type { Caller, SignedInPerson } from './caller.js';
import { sessionTokenOf } from './session-cookie.js';

/** A revoked key, a removed person or a former role may work this much longer in other processes than the one that made the change. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED_KEYS = 10_000;

interface CachedCaller {
  readonly caller: Caller;
  readonly expiresAt: number;
  /** The count of {@link Revocations} before the caller was read. */
  readonly revocations: number;
}

/** Identifies the caller by the `Authorization` header or, without that header, by the session cookie. */
@Injectable()
export class Authenticator {
  private readonly cache = new Map<string, CachedCaller>();
  private readonly revocations: Revocations;

  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DataSource) dataSource: DataSource,
  ) {
    this.revocations = new Revocations(dataSource);
  }

  /** @throws {@link ApiError} `UNAUTHORIZED`, with the same sentence for every reason */
  async authenticate(
    headers: IncomingHttpHeaders,
    sentence = 'Send a valid API key as "Authorization: Bearer <key>".',
  ): Promise<Caller> {
    const key = bearer(headers.authorization);
    const token = headers.authorization === undefined ? sessionTokenOf(headers, this.config) : null;
    const secret = key ?? token;
    if (secret === null) throw new ApiError('UNAUTHORIZED', sentence);
    return this.callerOf(secret, { isSession: token !== null, sentence });
  }

  /** The caller of a session that has just begun. @param token of its cookie */
  async ofSession(token: string): Promise<Caller> {
    return this.callerOf(token, { isSession: true, sentence: 'The session has ended.' });
  }

  /** The caller of a session, or null if it has ended. @param token of its cookie */
  async ofOpenSession(token: string): Promise<Caller | null> {
    try {
      return await this.ofSession(token);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  }

  private async callerOf(
    secret: string,
    { isSession, sentence }: { isSession: boolean; sentence: string },
  ): Promise<Caller> {
    const { hash } = describeKey(secret);
    const cacheKey = isSession ? `session ${hash}` : hash;
    const cached = this.cache.get(cacheKey);
    const revocations = this.revocations.count;
    if (cached && cached.expiresAt > Date.now() && cached.revocations === revocations) return cached.caller;
    const session = isSession ? await this.sessions.authenticate(hash) : null;
    const found = session ?? (isSession ? null : await this.organizations.authenticate(hash));
    if (!found) {
      this.cache.delete(cacheKey);
      throw new ApiError('UNAUTHORIZED', sentence);
    }
    const { reader, organizationId } = found;
    const caller = {
      // All sessions and tokens of a person count together.
      keyId: reader?.personId ?? found.id,
      person: session && signedInPerson(session),
      tenant: new TenantScope(organizationId, reader, session?.reader ? null : keyOf(found)),
      scopes: new Set(found.scopes),
      publishable: found.publishable,
    };
    if (this.cache.size >= MAX_CACHED_KEYS) this.cache.clear();
    const ends = Date.now() + CACHE_TTL_MS;
    const expiresAt = Math.min(ends, found.expiresAt?.getTime() ?? ends);
    this.cache.set(cacheKey, { caller, expiresAt, revocations });
    return caller;
  }

  /** Whether the header contains the admin key. */
  isAdmin(header: string | undefined): boolean {
    const key = bearer(header);
    const expected = this.config.CITEWELL_ADMIN_KEY;
    if (key === null || expected === undefined) return false;
    // `timingSafeEqual` requires equal lengths. Hashes have them, whatever the lengths of the keys.
    return timingSafeEqual(Buffer.from(describeKey(key).hash), Buffer.from(describeKey(expected).hash));
  }
}

function signedInPerson(session: AuthenticatedSession): SignedInPerson | null {
  const { reader, sessionId, accountId, identityProvider } = session;
  return reader && { id: reader.personId, sessionId, accountId, identityProvider };
}

function keyOf({ id, scopes, publishable }: AuthenticatedKey): CallingKey {
  if (publishable) return { id, kind: 'publishable' };
  return { id, kind: scopes.includes('admin') ? 'admin' : 'other' };
}

function bearer(header: string | undefined): string | null {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1] ?? null;
}
