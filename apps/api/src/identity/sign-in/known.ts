import type { AccountWithPasskey, CheckedAccount } from '@citewell/database';

/** Who may begin a session, until when at most. */
export type Known = { organizationId: string; expiresAt: Date | null } & (
  { apiKeyId: string } | { personId: string; account: CheckedAccount | AccountWithPasskey | null }
);

/** @param account whose credentials were checked; null for a person who signs in without it */
export function asKnown(
  { organizationId, personId }: { organizationId: string; personId: string },
  account: CheckedAccount | AccountWithPasskey | null,
): Known {
  return { organizationId, personId, account, expiresAt: null };
}
