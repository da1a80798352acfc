import type { ScimCondition } from '@citewell/database';
import { ScimError } from '../../http/scim-format.js';

const MAX_LENGTH = 2_000;
/** One comparison with `eq`, which is all that providers send to find a user or a group. The value is a JSON string. */
const COMPARISON = /^\s*([\w.:-]+(?:\[type eq "\w+"\](?:\.value)?)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;
const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/**
 * Reads the parameter `filter` of a list.
 *
 * @param attributes names in lower case, and what they stand for
 * @throws {@link ScimError} `invalidFilter` for every other filter: a list that ignores it would show the wrong users
 */
export function readFilter<Attribute extends string>(
  filter: unknown,
  attributes: Readonly<Record<string, Attribute>>,
): ScimCondition<Attribute> | null {
  const text = filter ?? '';
  if (typeof text === 'string' && text.trim() === '') return null;
  const [, path = '', literal = ''] =
    (typeof text === 'string' && text.length <= MAX_LENGTH && COMPARISON.exec(text)) || [];
  const name = path
    .replace(SCHEMA, '')
    .toLowerCase()
    .replace(/\[type eq "\w+"\]/, '');
  const attribute = Object.entries(attributes).find(([known]) => known === name)?.[1];
  const value = attribute === undefined ? null : textOf(literal);
  if (attribute === undefined || value === null || value.includes('\0'))
    throw new ScimError(
      'invalidFilter',
      `The filter is not supported. Compare one of these with eq: ${Object.keys(attributes).join(', ')}.`,
    );
  return { attribute, value: value.toWellFormed() };
}

function textOf(literal: string): string | null {
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}
