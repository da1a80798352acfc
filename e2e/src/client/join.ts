import type { Role } from '@citewell/contracts/schemas';
import { ApiClient } from './api-client.js';
import { BrowserSession } from './browser-session.js';
import { Tenant } from './tenant.js';

/** A person of an organization, in a browser. */
export interface Member extends Tenant {
  readonly personId: string;
}

/** Invites a person to an organization, and accepts the invitation. */
export async function join(tenant: Tenant, role: Role, name = 'Grace'): Promise<Member> {
  const { baseUrl } = tenant.api;
  const browser = new BrowserSession(baseUrl);
  const { token, id } = await tenant.invite(role);
  (await browser.call('POST', '/session', { token, password: 'correct horse battery', name })).assertOk();
  const api = new ApiClient(baseUrl, null, { 'citewell-csrf': '1', cookie: browser.cookie });
  return Object.assign(new Tenant(api, tenant.organizationId), { personId: id });
}
