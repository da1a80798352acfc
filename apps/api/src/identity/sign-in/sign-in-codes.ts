import { generateKey, OrganizationRepository, PersonRepository } from '@citewell/database';
import { type INestApplicationContext, Injectable } from '@nestjs/common';

const LIFETIME_MS = 24 * 60 * 60_000;

/** Codes of the links that the server prints. A code works once, within a day, in the process that issued it. */
@Injectable()
export class SignInCodes {
  private readonly codes = new Map<string, { organizationId: string; expiresAt: number }>();

  /** @param organizationId the code signs in the first owner of this organization */
  issue(organizationId: string): string {
    const code = generateKey();
    this.codes.set(code, { organizationId, expiresAt: Date.now() + LIFETIME_MS });
    return code;
  }

  /** Uses a code up. @returns its organization; null for an unknown, used or expired code */
  redeem(code: string): string | null {
    const entry = this.codes.get(code);
    this.codes.delete(code);
    return entry && entry.expiresAt > Date.now() ? entry.organizationId : null;
  }
}

/** A link that the server prints. */
export interface SignInLink {
  readonly url: string;
  /** Whether no owner of the organization has signed in yet. */
  readonly isFirst: boolean;
}

/**
 * A link that signs a browser in as the first owner of the first organization, once. The code is in the fragment, which
 * browsers do not send.
 *
 * @param url of the service, without `/api`
 * @returns null if the first organization was deleted
 */
export async function createSignInLink(
  app: INestApplicationContext,
  url: string,
): Promise<SignInLink | null> {
  const first = await app.get(OrganizationRepository).first();
  if (first === null) return null;
  const isFirst = !(await app.get(PersonRepository).hasSignedInOwner(first.id));
  return { url: `${url}/#sign-in=${app.get(SignInCodes).issue(first.id)}`, isFirst };
}
