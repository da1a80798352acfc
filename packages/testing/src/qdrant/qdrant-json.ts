import { wrongInput } from './qdrant-errors.js';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object. @throws QdrantHttpError 400 */
export function objectOf(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongInput(`${what} is no object`);
  // Narrowed by the check above: what JSON.parse gives has string keys.
  return value as JsonObject;
}

/** The value as a list. @throws QdrantHttpError 400 */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongInput(`${what} is no list`);
  return value;
}

/** The value as text. @throws QdrantHttpError 400 */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw wrongInput(`${what} is no string`);
  return value;
}

/** The value as a number. @throws QdrantHttpError 400 */
export function numberOf(value: unknown, what: string): number {
  if (typeof value !== 'number') throw wrongInput(`${what} is no number`);
  return value;
}

/** Refuses fields beyond those named: this server implements what the adapter sends, and says so otherwise. */
export function onlyFields(object: JsonObject, what: string, ...known: string[]): void {
  const unknown = Object.keys(object).find((key) => !known.includes(key) && object[key] !== undefined);
  if (unknown !== undefined) throw wrongInput(`${what} has a field that is not implemented here: ${unknown}`);
}
