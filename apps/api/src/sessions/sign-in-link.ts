import { OrganizationRepository } from '@citewell/database';
import type { INestApplicationContext } from '@nestjs/common';
import { SignInCodes } from './sign-in-codes.js';

/**
 * A link that signs a browser in to the first organization, once. The code is in the fragment, which browsers do not
 * send.
 *
 * @param url of the service, without `/api`
 * @returns null if the first organization was deleted or has no key with full rights
 */
export async function createSignInLink(app: INestApplicationContext, url: string): Promise<string | null> {
  const organizations = app.get(OrganizationRepository);
  const first = await organizations.first();
  const key = first && (await organizations.administratorKey(first.id));
  return key && `${url}/#sign-in=${app.get(SignInCodes).issue(key)}`;
}
