import { wrongInput } from './qdrant-errors.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** @returns the value as an object @throws QdrantHttpError 400 for another type */
export function objectOf(value: unknown, label: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongInput(`${label} is not an object`);
  // Checked above. Objects of JSON.parse have string keys.
  return value as JsonObject;
}

/** @returns the value as a list @throws QdrantHttpError 400 for another type */
export function listOf(value: unknown, label: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongInput(`${label} is not a list`);
  return value;
}

/** @returns the value as a string @throws QdrantHttpError 400 for another type */
export function textOf(value: unknown, label: string): string {
  if (typeof value !== 'string') throw wrongInput(`${label} is not a string`);
  return value;
}

/** @returns the value as a number @throws QdrantHttpError 400 for another type */
export function numberOf(value: unknown, label: string): number {
  if (typeof value !== 'number') throw wrongInput(`${label} is not a number`);
  return value;
}

/** Rejects fields that this server does not implement. @throws QdrantHttpError 400 for an unknown field */
export function onlyFields(object: JsonObject, label: string, ...known: string[]): void {
  const unknown = Object.keys(object).find((key) => !known.includes(key) && object[key] !== undefined);
  if (unknown !== undefined)
    throw wrongInput(`${label} has a field that is not implemented here: ${unknown}`);
}
