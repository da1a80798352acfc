import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

export interface FrontMatter {
  /** Names (`author.name`) and values of all fields, in their order. Items of a list are joined by commas. */
  readonly fields: ReadonlyMap<string, string>;
  /** The fields as they are written. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The Markdown after the front matter. */
  readonly body: string;
}

// A thematic break is followed by a blank line.
const YAML = /^---[^\S\n]*\n(?!\s*\n)([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/;
const TOML = /^\+\+\+[^\S\n]*\n([\s\S]*?)\n\+\+\+[^\S\n]*(?:\n|$)/;
const JSON_OBJECT = /^(\{[^\S\n]*\n[\s\S]*?\n\})[^\S\n]*(?:\n|$)/;
const MAX_DEPTH = 10;

/**
 * Splits the fields at the beginning of a file from its text: YAML between `---`, TOML between `+++`, or a JSON
 * object. A beginning that cannot be read as fields, such as a thematic break, is part of the text.
 */
export function readFrontMatter(markdown: string): FrontMatter {
  for (const [pattern, parse] of FORMATS) {
    const [block, source] = pattern.exec(markdown) ?? [];
    if (block === undefined || source === undefined) continue;
    const record = recordOf(parse, source);
    if (record === null) continue;
    const fields = new Map<string, string>();
    addFields(fields, record, '', 0);
    if (fields.size > 0) return { fields, record, body: markdown.slice(block.length) };
  }
  return { fields: new Map(), record: {}, body: markdown };
}

const FORMATS: readonly (readonly [RegExp, (source: string) => unknown])[] = [
  // Values stay as they are written: no dates, no `no` for false, no numbers.
  [YAML, (source) => parseYaml(source, { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' })],
  // Values with a colon need quotes in YAML, which many files lack.
  [YAML, linesToRecord],
  [TOML, (source) => parseToml(source)],
  [JSON_OBJECT, (source) => JSON.parse(source)],
];

const KEY = /^\w[\w .-]*$/;

/** @throws SyntaxError when a line is not a field */
function linesToRecord(source: string): Record<string, string> {
  const record: Record<string, string> = {};
  for (const line of source.split('\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(0, colon)).trimEnd();
    const rest = line.slice(colon + 1);
    if (KEY.test(key) && /^(?:\s|$)/.test(rest))
      record[key] = rest.trimStart().replace(/^(["'])(.*)\1$/, '$2');
    else if (line.trim() !== '' && !line.startsWith('#')) throw new SyntaxError('not a field');
  }
  return record;
}

/** @returns null when the source is not an object */
function recordOf(
  parse: (source: string) => unknown,
  source: string,
): Readonly<Record<string, unknown>> | null {
  try {
    const value = parse(source);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function addFields(
  fields: Map<string, string>,
  record: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
): void {
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${key}`;
    if (isRecord(value)) {
      if (depth < MAX_DEPTH) addFields(fields, value, `${name}.`, depth + 1);
    } else if (Array.isArray(value) && value.some(isRecord)) {
      if (depth >= MAX_DEPTH) continue;
      for (const [index, item] of value.entries())
        addFields(fields, isRecord(item) ? item : { value: item }, `${name}[${index}].`, depth + 1);
    } else {
      const text = Array.isArray(value) ? value.flat(MAX_DEPTH).map(textOf).join(', ') : textOf(value);
      if (text.trim() !== '') fields.set(name, text.trim());
    }
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
