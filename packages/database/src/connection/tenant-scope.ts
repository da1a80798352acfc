/**
 * The organization whose rows a call may see. It is the first parameter of every repository method on
 * tenant-owned rows, so that a query without it does not compile. The protected field makes the type nominal:
 * no other object is assignable.
 */
export class TenantScope {
  protected readonly kind = 'tenant';

  constructor(readonly organizationId: string) {}
}
