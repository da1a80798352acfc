import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '@citewell/config';
import { OrganizationRepository, TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';
import type { Caller } from './caller.js';

/** A key that was just looked up is trusted for this long; revoking takes effect within it. */
const TRUST_MS = 2_000;
const MAX_TRUSTED = 10_000;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_CHARACTERS = 32;
const PREFIX_CHARACTERS = 9;

/** A new key: 32 characters of base 62 are 190 random bits. */
export function generateKey(): string {
  let key = '';
  while (key.length < KEY_CHARACTERS) {
    // Bytes past the last whole 62 are thrown away, so that every character is equally likely.
    for (const byte of randomBytes(KEY_CHARACTERS))
      if (byte < 248 && key.length < KEY_CHARACTERS) key += BASE62[byte % 62];
  }
  return `cw_${key}`;
}

/** What is kept of a key: its hash to find it by, its beginning to recognise it by. */
export function describeKey(key: string): { hash: string; prefix: string } {
  return { hash: createHash('sha256').update(key).digest('hex'), prefix: key.slice(0, PREFIX_CHARACTERS) };
}

/** Turns an `Authorization` header into a caller. */
@Injectable()
export class Authenticator {
  private readonly trusted = new Map<string, { caller: Caller; until: number }>();

  constructor(
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws {@link ApiError} `UNAUTHORIZED` for every reason alike */
  async authenticate(header: string | undefined): Promise<Caller> {
    const key = bearer(header);
    if (key === null) throw unauthorized();
    const { hash } = describeKey(key);
    const known = this.trusted.get(hash);
    if (known && known.until > Date.now()) return known.caller;
    const found = await this.organizations.authenticate(hash);
    if (!found) {
      this.trusted.delete(hash);
      throw unauthorized();
    }
    const caller = {
      keyId: found.id,
      tenant: new TenantScope(found.organizationId),
      scopes: new Set(found.scopes),
    };
    if (this.trusted.size >= MAX_TRUSTED) this.trusted.clear();
    this.trusted.set(hash, { caller, until: Date.now() + TRUST_MS });
    return caller;
  }

  /** Whether the header carries the admin key. */
  isAdmin(header: string | undefined): boolean {
    const key = bearer(header);
    const expected = this.config.CITEWELL_ADMIN_KEY;
    if (key === null || expected === undefined) return false;
    // Hashes have one length, which `timingSafeEqual` wants, and tell nothing about the keys'.
    return timingSafeEqual(Buffer.from(describeKey(key).hash), Buffer.from(describeKey(expected).hash));
  }

  /** Forgets what it trusts, so that a removed key ends at once in this process. */
  forget(): void {
    this.trusted.clear();
  }
}

function bearer(header: string | undefined): string | null {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1] ?? null;
}

function unauthorized(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Send a valid API key as "Authorization: Bearer <key>".');
}
