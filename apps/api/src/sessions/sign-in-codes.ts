import { type AuthenticatedKey, generateKey } from '@citewell/database';
import { Injectable } from '@nestjs/common';

const LIFETIME_MS = 24 * 60 * 60_000;

/** Codes of sign-in links. A code works once, within a day, in the process that issued it. */
@Injectable()
export class SignInCodes {
  private readonly keys = new Map<string, { key: AuthenticatedKey; expiresAt: number }>();

  /** @param key the session that the code begins has the scopes of this key, and ends with it */
  issue(key: AuthenticatedKey): string {
    const code = generateKey();
    this.keys.set(code, { key, expiresAt: Date.now() + LIFETIME_MS });
    return code;
  }

  /** Uses a code up. @returns its key; null for an unknown, used or expired code */
  redeem(code: string): AuthenticatedKey | null {
    const entry = this.keys.get(code);
    this.keys.delete(code);
    return entry && entry.expiresAt > Date.now() ? entry.key : null;
  }
}
