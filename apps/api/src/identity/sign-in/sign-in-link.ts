import { OrganizationRepository } from '@citewell/database';
import type { INestApplicationContext } from '@nestjs/common';
import { SignInCodes } from './sign-in-codes.js';

/**
 * A link that signs a browser in as the first owner of the first organization, once. The code is in the fragment, which
 * browsers do not send.
 *
 * @param url of the service, without `/api`
 * @returns null if the first organization was deleted
 */
export async function createSignInLink(app: INestApplicationContext, url: string): Promise<string | null> {
  const first = await app.get(OrganizationRepository).first();
  return first && `${url}/#sign-in=${app.get(SignInCodes).issue(first.id)}`;
}
