import type { Role } from '@citewell/contracts/schemas';

/** A person whose rights limit what a call may see. */
export interface Reader {
  readonly personId: string;
  readonly role: Role;
}

/** The API key of a call that is not a person's. */
export interface CallingKey {
  readonly id: string;
  readonly kind: 'admin' | 'publishable' | 'other';
}

/**
 * The organization whose rows a call may see and, for a person, what this person may read of it. It is the first parameter
 * of repository methods that requests call, so that a query without it does not compile. Work without a caller has the id of
 * the organization. The protected field makes the type nominal: no other object is assignable.
 */
export class TenantScope {
  protected readonly kind = 'tenant';

  /**
   * @param reader null: all datastores of the organization, for API keys and for the work in the background
   * @param key decides, without a reader, which conversations are visible. Null: all of them
   * @param restricted which of the documents that their source shows only to some people: those of the reader, so none
   *   without a reader; or none; or all, for repairs
   */
  constructor(
    readonly organizationId: string,
    readonly reader: Reader | null = null,
    readonly key: CallingKey | null = null,
    readonly restricted: 'own' | 'none' | 'all' = 'own',
  ) {}
}
