import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';
import type {
  ApiKey,
  ApiKeyWithSecret,
  CreateApiKey,
  CreateOrganization,
  Organization,
  OrganizationWithKey,
  UsageReport,
} from '../wire.types.js';

/** The organization's keys. Every method needs a key with the scope `admin`, and throws `CitewellError`. */
export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  /** The answer is the only one that shows the key. */
  create(key: CreateApiKey, options?: RequestOptions): Promise<ApiKeyWithSecret> {
    return this.transport.json({ method: 'POST', path: '/api-keys', json: key, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<ApiKey> {
    return this.transport.list({ path: '/api-keys', options }, page);
  }

  delete(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.json({ method: 'DELETE', path: `/api-keys/${segment(id)}`, options });
  }
}

/** What the organization has used, and what it may use. */
export class UsageReports {
  constructor(private readonly transport: Transport) {}

  /** Of this month. */
  get(options?: RequestOptions): Promise<UsageReport> {
    return this.transport.json({ method: 'GET', path: '/usage', options });
  }
}

/** Organizations share nothing. Every method needs the server's admin key as `apiKey`, and throws `CitewellError`. */
export class Organizations {
  constructor(private readonly transport: Transport) {}

  /** The answer is the only one that shows the organization's first key. */
  create(organization: CreateOrganization, options?: RequestOptions): Promise<OrganizationWithKey> {
    return this.transport.json({ method: 'POST', path: '/organizations', json: organization, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Organization> {
    return this.transport.list({ path: '/organizations', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Takes everything of it along. */
  delete(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `/organizations/${segment(id)}`;
}
