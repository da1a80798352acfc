import { emailSchema } from '@citewell/contracts/schemas';
import type { ScimUser, ScimUserFields } from '@citewell/database';
import { ScimError } from '../../http/scim-format.js';
import {
  assignmentsOf,
  attributeOf,
  booleanOf,
  lineOf,
  MAX_EXTERNAL_ID_LENGTH,
  objectOf,
  operationsOf,
  type Values,
} from './scim-input.js';

const EMAIL_PATH = /^emails(?:\[.*\])?(?:\.value)?$/;

/** The attributes of a new user, or of one that is replaced. Others, such as roles, are ignored. */
export function readUser(body: unknown): ScimUserFields & { userName: string; email: string } {
  const values = objectOf(body);
  const fields: ScimUserFields = { externalId: null, name: null, givenName: null, familyName: null };
  for (const name of ['userName', 'externalId', 'active', 'name', 'displayName', 'emails']) {
    const value = attributeOf(values, name);
    if (value !== undefined) assign(fields, name, value);
  }
  const { userName } = fields;
  if (userName === undefined) throw new ScimError('invalidValue', 'userName is required.');
  return { ...fields, userName, name: fields.name ?? fullName(fields), email: emailOf(fields, userName) };
}

/** The changes of a PATCH. */
export function readUserPatch(body: unknown, user: ScimUser): ScimUserFields {
  const fields: ScimUserFields = {};
  for (const operation of operationsOf(body)) {
    for (const [path, value] of assignmentsOf(operation)) {
      if (operation.op !== 'remove') assign(fields, path, value);
      else if (/^(?:username|active)$|^emails/i.test(path))
        throw new ScimError('mutability', `${path} cannot be removed.`);
      else assign(fields, path, null);
    }
  }
  const { userName } = fields;
  // A user whose name was the e-mail goes on with the new one.
  if (userName !== undefined && fields.email === undefined && user.userName.toLowerCase() === user.email)
    fields.email = emailOf(fields, userName);
  const hasNameParts = fields.givenName !== undefined || fields.familyName !== undefined;
  if (fields.name === undefined && hasNameParts) fields.name = fullName({ ...user, ...fields });
  return fields;
}

function assign(fields: ScimUserFields, path: string, value: unknown): void {
  const name = path.toLowerCase();
  if (EMAIL_PATH.test(name)) return assignEmail(fields, value, name);
  switch (name) {
    case 'username': {
      const userName = lineOf(value, 'userName');
      if (userName === null) throw new ScimError('invalidValue', 'userName must not be empty.');
      fields.userName = userName;
      return;
    }
    case 'externalid':
      fields.externalId = lineOf(value, 'externalId', MAX_EXTERNAL_ID_LENGTH);
      return;
    case 'active':
      fields.isActive = booleanOf(value, 'active');
      return;
    case 'displayname':
    case 'name.formatted':
      // The display name is the one that people know.
      if (name === 'displayname' || fields.name === undefined || fields.name === null)
        fields.name = lineOf(value, path);
      return;
    case 'name.givenname':
      fields.givenName = lineOf(value, path);
      return;
    case 'name.familyname':
      fields.familyName = lineOf(value, path);
      return;
    case 'name':
      for (const [part, one] of Object.entries(value === null ? NO_NAME : objectOf(value, 'name')))
        assign(fields, `name.${part}`, one);
  }
}

const NO_NAME = { formatted: null, givenName: null, familyName: null };

function assignEmail(fields: ScimUserFields, value: unknown, path: string): void {
  // Only one address is kept: not that of another type.
  if (path.includes('[') && !/work|primary/.test(path)) return;
  const entries: Values[] = Array.isArray(value)
    ? value.map((entry) => objectOf(entry, 'An e-mail'))
    : [typeof value === 'object' && value !== null ? (value as Values) : { value }];
  const primary = entries.find((entry) => attributeOf(entry, 'primary') === true);
  const work = entries.find((entry) => attributeOf(entry, 'type') === 'work');
  const address = attributeOf(primary ?? work ?? entries[0] ?? {}, 'value');
  if (address === undefined || address === null || address === '') return;
  const { data } = emailSchema.safeParse(address);
  if (data === undefined) throw new ScimError('invalidValue', 'An e-mail address is not valid.');
  fields.email = data;
}

/** A user without an address is known by a user name that is one. */
function emailOf({ email }: ScimUserFields, userName: string): string {
  if (email !== undefined && email !== null) return email;
  const { data } = emailSchema.safeParse(userName);
  if (data === undefined)
    throw new ScimError('invalidValue', 'A user needs an e-mail address, as userName or in emails.');
  return data;
}

function fullName({ givenName, familyName }: ScimUserFields): string | null {
  const name = [givenName, familyName].filter(Boolean).join(' ').slice(0, 255);
  return name === '' ? null : name;
}
