import type { AccountWithPasskey, CheckedAccount } from '@citewell/database';

/** Who may begin a session, until when at most. */
export type SignInSubject = { organizationId: string; expiresAt: Date | null } & (
  { apiKeyId: string } | { personId: string; account: CheckedAccount | AccountWithPasskey | null }
);

/** @param account whose credentials were checked; null for a person who signs in without it */
export function signInSubjectOf(
  { organizationId, personId }: { organizationId: string; personId: string },
  account: CheckedAccount | AccountWithPasskey | null,
): SignInSubject {
  return { organizationId, personId, account, expiresAt: null };
}
