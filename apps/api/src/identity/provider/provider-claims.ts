import { emailSchema, type GroupRole, type Role, ROLES } from '@citewell/contracts/schemas';
import type { IdentityProviderEntity, ProviderClaims } from '@citewell/database';
import { SignInFailure } from './provider-errors.js';

const MAX_NAME_LENGTH = 255;
/** OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT_LENGTH = 255;

/** Everybody can have an account there, so the organization is known by its domain alone. */
const GOOGLE = 'https://accounts.google.com';
/** Names of Entra ID that stand for all directories: https://login.microsoftonline.com/common/v2.0. */
const ALL_DIRECTORIES = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

export type Claims = Readonly<Record<string, unknown>>;

type Rules = Pick<IdentityProviderEntity, 'issuer' | 'emailDomains' | 'groupsClaim' | 'groupRoles'>;

/**
 * Reads the claims of the ID token, with those of the UserInfo endpoint.
 *
 * @param withoutGroups what it means if the groups are missing: none at a sign-in. A later response may just not have them
 * @throws {@link SignInFailure} for an e-mail address outside of the domains of the provider
 */
export function readClaims(
  claims: Claims,
  rules: Rules,
  withoutGroups: null | 'unknown' = null,
): ProviderClaims {
  const { sub, name } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || sub.includes('\0'))
    throw new SignInFailure('invalid-response');
  const email = emailSchema.safeParse(claims['email']).data ?? null;
  assertDomain(email, claims, rules);
  return {
    subject: sub,
    verifiedEmail: isVerified(claims, rules) ? email : null,
    name: typeof name === 'string' ? toName(name) : null,
    groupRole: groupRoleOf(claims, rules, withoutGroups),
  };
}

/** Whether the provider is asked for more claims than the ID token has. */
export function needsUserInfo(claims: Claims, { groupsClaim, groupRoles }: Rules): boolean {
  return (
    claims['email'] === undefined || (groupRoles.length > 0 && valueAt(claims, groupsClaim) === undefined)
  );
}

function assertDomain(email: string | null, claims: Claims, { issuer, emailDomains }: Rules): void {
  if (emailDomains.length === 0) return;
  if (email === null) throw new SignInFailure('email-missing');
  // A Google account with an address of a company may belong to a former employee. `hd` is that of the Workspace.
  const domain =
    isOpenToEverybody(issuer) === 'accounts' ? claims['hd'] : email.slice(email.lastIndexOf('@') + 1);
  if (typeof domain !== 'string' || !emailDomains.includes(domain.toLowerCase()))
    throw new SignInFailure('other-domain');
}

/** Entra ID and others do not send `email_verified`. Then the domains of the settings vouch for the address. */
function isVerified({ email_verified: verified }: Claims, { emailDomains }: Rules): boolean {
  if (verified === undefined || verified === null) return emailDomains.length > 0;
  return verified === true || verified === 'true';
}

function groupRoleOf(
  claims: Claims,
  { groupsClaim, groupRoles }: Rules,
  withoutGroups: null | 'unknown',
): ProviderClaims['groupRole'] {
  if (groupRoles.length === 0) return null;
  const value = valueAt(claims, groupsClaim);
  if (value === undefined) return isLeftOut(claims, groupsClaim) ? 'unknown' : withoutGroups;
  return highestRole(groupsOf(value), groupRoles);
}

/** The groups of a claim. A text is one group, or a list with commas. A number counts by its digits. */
function groupsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? [value, ...value.split(',').map((part) => part.trim())] : value;
  return (Array.isArray(list) ? list : [list]).flatMap((group: unknown) => {
    if (typeof group === 'string') return [group];
    // A larger number has lost digits, and could be that of another group.
    return Number.isSafeInteger(group) ? [String(group)] : [];
  });
}

/** The highest role of the mapped groups; null if none is mapped. */
function highestRole(groups: readonly string[], groupRoles: readonly GroupRole[]): Role | null {
  const named = new Set(groups.flatMap(namesOf));
  const mapped = new Set(groupRoles.filter(({ group }) => named.has(group)).map(({ role }) => role));
  return ROLES.find((role) => mapped.has(role)) ?? null;
}

/** How a setting may name a group. Keycloak sends paths of groups, such as `/staff/editors`, or their last part. */
function namesOf(group: string): string[] {
  if (!group.startsWith('/')) return [group];
  return [group, group.slice(1), group.slice(group.lastIndexOf('/') + 1)];
}

/** Entra ID leaves the groups out if there are too many (OpenID Connect Core 1.0, section 5.6.2). */
function isLeftOut(claims: Claims, name: string): boolean {
  const { _claim_names: distributed, hasgroups } = claims;
  return (
    (isObject(distributed) && Object.hasOwn(distributed, name)) || hasgroups === true || hasgroups === 'true'
  );
}

/** A claim by its name, or by a path of names. Names may contain full stops, such as those of addresses. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

function toName(name: string): string | null {
  const line = name
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  return line === '' ? null : line;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an issuer has people of all organizations: as accounts, or as tenants that it names with one issuer. */
export function isOpenToEverybody(issuer: string): 'accounts' | 'tenants' | null {
  if (ALL_DIRECTORIES.test(issuer)) return 'tenants';
  return issuer.replace(/\/$/, '') === GOOGLE ? 'accounts' : null;
}
