import { ScimError } from '../../http/scim-format.js';

export type Values = Readonly<Record<string, unknown>>;

/** An operation of a PATCH: RFC 7644, section 3.5.2. */
export interface Operation {
  op: 'add' | 'remove' | 'replace';
  /** Without the schema, in lower case but for values of filters. Empty: the value is an object of attributes. */
  path: string;
  value: unknown;
}

/** At most 2,400 bytes of UTF-8. An entry of an index of Postgres has at most 2,704. */
export const MAX_EXTERNAL_ID_LENGTH = 800;

const MAX_OPERATIONS = 1_000;
const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** @throws {@link ScimError} `invalidSyntax` */
export function objectOf(value: unknown, what = 'The body'): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw new ScimError('invalidSyntax', `${what} must be a JSON object.`);
}

/** An attribute, whose name may be in any case: RFC 7643, section 2.1. */
export function attributeOf(values: Values, name: string): unknown {
  const key = Object.keys(values).find((known) => known.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : values[key];
}

/** Reads the operations of a PATCH. Providers write `op` in upper case, too. */
export function operationsOf(body: unknown): Operation[] {
  const operations = attributeOf(objectOf(body), 'Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError('invalidSyntax', 'A PATCH needs a list of Operations.');
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError('invalidSyntax', `A PATCH has at most ${MAX_OPERATIONS} Operations.`);
  return operations.map((entry) => {
    const operation = objectOf(entry, 'An operation');
    const given = attributeOf(operation, 'op');
    const op = typeof given === 'string' ? given.toLowerCase() : '';
    const path = attributeOf(operation, 'path') ?? '';
    if (op !== 'add' && op !== 'remove' && op !== 'replace')
      throw new ScimError('invalidSyntax', 'An operation is add, remove or replace.');
    if (typeof path !== 'string') throw new ScimError('invalidPath', 'A path must be a text.');
    if (op === 'remove' && path === '') throw new ScimError('noTarget', 'A remove needs a path.');
    return { op, path: path.trim().replace(SCHEMA, ''), value: attributeOf(operation, 'value') };
  });
}

/** The attributes that an operation sets, each with its path: those of its value if it has no path itself. */
export function assignmentsOf({ path, value }: Operation): [path: string, value: unknown][] {
  if (path !== '') return [[path, value]];
  return Object.entries(objectOf(value, 'The value of an operation without a path')).map(([name, one]) => [
    name.replace(SCHEMA, ''),
    one,
  ]);
}

/** A text on one line, as it is stored. @throws {@link ScimError} `invalidValue` */
export function lineOf(value: unknown, name: string, maxLength = 255): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${name} must be a text.`);
  const line = value.trim();
  if (line.length > maxLength)
    throw new ScimError('invalidValue', `${name} has more than ${maxLength} characters.`);
  if (/\p{Cc}/u.test(line) || !line.isWellFormed())
    throw new ScimError('invalidValue', `${name} must not contain control characters.`);
  return line === '' ? null : line;
}

/** Entra ID sends the texts "True" and "False". @throws {@link ScimError} `invalidValue` */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ScimError('invalidValue', `${name} must be true or false.`);
}
