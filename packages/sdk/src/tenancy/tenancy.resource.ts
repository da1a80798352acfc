import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';
import type {
  CreateOrganization,
  MonthlyUsage,
  Organization,
  OrganizationWithKey,
  UsageReport,
} from '@citewell/contracts';

/** Usage and limits of the organization. Every method throws `CitewellError`. */
export class UsageReports {
  constructor(private readonly transport: Transport) {}

  /** The usage of the current month. */
  get(options?: RequestOptions): Promise<UsageReport> {
    return this.transport.json({ method: 'GET', path: '/usage', options });
  }

  /** The usage of the last `months` (1 to 60, default 12), oldest first. */
  history(
    { months }: { months?: number | undefined } = {},
    options?: RequestOptions,
  ): Promise<MonthlyUsage[]> {
    return this.transport.json({ method: 'GET', path: '/usage/history', query: { months }, options });
  }
}

/**
 * Organizations are isolated from each other. Every method requires the admin key and throws `CitewellError`.
 */
export class Organizations {
  constructor(private readonly transport: Transport) {}

  /** Creates an organization. Only this response contains its first API key. */
  create(organization: CreateOrganization, options?: RequestOptions): Promise<OrganizationWithKey> {
    return this.transport.json({ method: 'POST', path: '/organizations', json: organization, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Organization> {
    return this.transport.list({ path: '/organizations', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Deletes the organization with all its data. */
  delete(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `/organizations/${segment(id)}`;
}
