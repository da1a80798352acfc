import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'a date and time such as 2030-01-31T12:00:00Z',
  date: 'a date such as 2030-01-31',
  email: 'an e-mail address',
};

/**
 * The zod error map of the API: a message completes a sentence that begins with the field's name. A schema's
 * own message takes precedence.
 */
export const issueSentence: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${namesOf(issue.values)}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number') return 'must not be empty';
      return sized(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return sized(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_format':
      return FORMATS[issue.format] === undefined
        ? 'does not have the expected format'
        : `must be ${FORMATS[issue.format]}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'does not match any of the allowed forms';
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid';
  }
};

function sized(origin: string, bound: string, size: number | bigint): string {
  switch (origin) {
    case 'string':
      return `must have ${bound} ${counted(size, 'character')}`;
    case 'array':
    case 'set':
    case 'map':
      return `must have ${bound} ${counted(size, 'item')}`;
    default:
      return `must be ${bound} ${size}`;
  }
}

function counted(size: number | bigint, unit: string): string {
  return `${size} ${unit}${Number(size) === 1 ? '' : 's'}`;
}

/** The allowed values as a list, without `""`, which stands for an empty field. */
function namesOf(values: readonly unknown[]): string {
  return values
    .map(String)
    .filter((value) => value !== '')
    .join(', ');
}
