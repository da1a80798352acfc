import type { MemberChange } from '@citewell/database';
import { ScimError } from '../../http/scim-format.js';
import {
  assignmentsOf,
  attributeOf,
  lineOf,
  MAX_EXTERNAL_ID_LENGTH,
  objectOf,
  type Operation,
  operationsOf,
} from './scim-input.js';

/** Larger groups need several requests. */
const MAX_MEMBERS = 10_000;
/** Entra ID removes a member by this path. */
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"\\]{1,255})"\s*\]$/i;

/** What is undefined stays. */
export interface GroupInput {
  name?: string;
  externalId?: string | null;
  members: MemberChange[];
}

/** The attributes of a new group, or of one that is replaced. */
export function readGroup(body: unknown): GroupInput & { name: string } {
  const values = objectOf(body);
  const name = nameOf(attributeOf(values, 'displayName'));
  const externalId = lineOf(attributeOf(values, 'externalId'), 'externalId', MAX_EXTERNAL_ID_LENGTH);
  return { name, externalId, members: [{ kind: 'set', ids: idsOf(attributeOf(values, 'members') ?? []) }] };
}

/** The changes of a PATCH. */
export function readGroupPatch(body: unknown): GroupInput {
  const input: GroupInput = { members: [] };
  for (const operation of operationsOf(body))
    for (const [path, value] of assignmentsOf(operation)) assign(input, operation.op, path, value);
  return input;
}

function assign(input: GroupInput, op: Operation['op'], path: string, value: unknown): void {
  const [, member] = ONE_MEMBER.exec(path) ?? [];
  if (member !== undefined)
    return void input.members.push({ kind: op === 'remove' ? 'remove' : 'add', ids: [member] });
  switch (path.toLowerCase()) {
    case 'displayname':
      if (op === 'remove') throw new ScimError('mutability', 'displayName cannot be removed.');
      input.name = nameOf(value);
      return;
    case 'externalid':
      input.externalId = op === 'remove' ? null : lineOf(value, 'externalId', MAX_EXTERNAL_ID_LENGTH);
      return;
    case 'members':
      input.members.push(memberChange(op, value));
      return;
    default:
      if (/^members/i.test(path))
        throw new ScimError('invalidPath', 'The path of the members is not supported.');
  }
}

/** Without a value, a remove is about all members. */
function memberChange(op: Operation['op'], value: unknown): MemberChange {
  if (op === 'remove')
    return value === undefined ? { kind: 'set', ids: [] } : { kind: 'remove', ids: idsOf(value) };
  return { kind: op === 'add' ? 'add' : 'set', ids: idsOf(value ?? []) };
}

function idsOf(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length > MAX_MEMBERS)
    throw new ScimError('invalidValue', `A request has at most ${MAX_MEMBERS} members.`);
  const ids = entries.map((entry) => {
    const id = typeof entry === 'string' ? entry : attributeOf(objectOf(entry, 'A member'), 'value');
    if (typeof id !== 'string')
      throw new ScimError('invalidValue', 'A member needs the id of a user as value.');
    return id;
  });
  return [...new Set(ids)];
}

function nameOf(value: unknown): string {
  const name = lineOf(value, 'displayName');
  if (name === null) throw new ScimError('invalidValue', 'displayName is required.');
  return name;
}
