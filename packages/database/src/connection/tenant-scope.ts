/**
 * Whose rows a call may see. Every repository method on tenant-owned rows takes one first, so that a query
 * without it does not compile. The protected field makes the type nominal: no look-alike object passes for one.
 */
export class TenantScope {
  protected readonly kind = 'tenant';

  constructor(readonly organizationId: string) {}
}
