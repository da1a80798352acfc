import { distance } from 'fastest-levenshtein';
import { z } from 'zod';

/** Part of a field's path: a name, or an index of a list. */
export type PathKey = string | number;

/**
 * The fields of a value that its schema does not know: those that are missing in the parsed value.
 *
 * @param parsed what the schema made of `input`
 */
export function unknownFields(input: unknown, parsed: unknown, path: readonly PathKey[] = []): PathKey[][] {
  if (input === parsed || !isObject(input) || !isObject(parsed)) return [];
  return Object.entries(input).flatMap(([key, value]) => {
    const fieldPath = [...path, Array.isArray(input) ? Number(key) : key];
    return key in parsed ? unknownFields(value, parsed[key], fieldPath) : [fieldPath];
  });
}

/** Longer than any field. Comparing takes time proportional to the length of a name. */
const MAX_COMPARED_LENGTH = 64;

/** The field of the schema, at any depth, whose name is most similar; null if none is. */
export function similarField(schema: z.ZodType, name: string): string | null {
  if (name.length > MAX_COMPARED_LENGTH) return null;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const candidates = [...fieldNames(json)]
    .map((field) => ({ field, edits: editsOf(field, name) }))
    .filter(({ field, edits }) => edits <= maxEdits(field));
  return candidates.toSorted((a, b) => a.edits - b.edits)[0]?.field ?? null;
}

/** The unknown fields, not inside another field, that are probably this field of the schema. */
export function misspellingsOf(field: string, schema: z.ZodType, unknown: readonly PathKey[][]): PathKey[][] {
  const similar = unknown.filter(([name, ...rest]) => {
    const text = String(name);
    return rest.length === 0 && text.length <= MAX_COMPARED_LENGTH && editsOf(field, text) <= maxEdits(field);
  });
  if (similar.length === 0) return [];
  const known = fieldNames(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return known.has(field) ? similar : [];
}

/** The name that a client probably wrote in place of a missing field; null if the field is not missing. */
export function misspelledField(
  schema: z.ZodType,
  input: unknown,
  path: readonly PropertyKey[],
): string | null {
  const parent = path
    .slice(0, -1)
    .reduce((value, key) => (isObject(value) ? value[String(key)] : null), input);
  const field = String(path.at(-1));
  if (!isObject(parent) || field in parent) return null;
  const known = fieldNames(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.keys(parent).find((name) => !known.has(name) && similarField(schema, name) === field) ?? null;
}

function editsOf(field: string, name: string): number {
  return distance(comparable(field), comparable(name));
}

function maxEdits(field: string): number {
  return Math.floor(field.length / 4);
}

/** Names that differ only in their case style, such as `topK` and `top_k`, are equal. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The names of all properties in a JSON Schema. */
function fieldNames(schema: unknown, names = new Set<string>()): Set<string> {
  if (!isObject(schema)) return names;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isObject(value)) for (const name of Object.keys(value)) names.add(name);
    fieldNames(value, names);
  }
  return names;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
