import type { SourceKindInfo } from '@citewell/sdk';
import { linesOf } from '../datasources/addresses.js';

/** A field of the form of a source, as its kind describes it. Options of a storage are named `options.NAME`. */
export interface SourceField {
  readonly name: string;
  readonly input: 'text' | 'long' | 'number' | 'switch' | 'choice' | 'date' | 'lines' | 'schedule';
  readonly isRequired: boolean;
  /** Whether an existing source keeps its value for ever. */
  readonly isFixed: boolean;
  /** Of a choice: value and label. */
  readonly choices: Readonly<Record<string, string>>;
  /** The value of a field without one. */
  readonly initial: FieldValue;
  /** In English. */
  readonly description: string;
}

export type FieldValue = string | boolean;
export type FieldValues = Readonly<Record<string, FieldValue>>;
export type SourceConfig = Record<string, unknown>;

/** What forms use of the JSON Schema of a field. */
interface FieldSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly description?: string;
  readonly default?: unknown;
}

/** Texts that are longer have several lines. */
const LINE_LENGTH = 5_000;
const FIXED: readonly string[] = ['folder', 'provider', 'program'];
/** How often a source is synched unless its configuration says it. */
export const DEFAULT_SCHEDULE = '*/15 * * * *';

/** The fields of a kind, in their order. @param provider of a storage */
export function fieldsOf(info: SourceKindInfo, provider: string): SourceField[] {
  // The API makes it of an object's schema.
  const { properties = {}, required = [] } = info.schema as {
    properties?: Readonly<Record<string, FieldSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([name, schema]) => {
    // A pause has a button of its own.
    if (name === 'kind' || name === 'paused') return [];
    if (name === 'options') return optionFields(info, provider);
    const choices = choicesOf(info, name, schema);
    return {
      name,
      input: inputOf(name, schema, choices),
      isRequired: required.includes(name),
      isFixed: FIXED.includes(name),
      choices,
      initial: initialOf(name, schema),
      description: schema.description ?? '',
    };
  });
}

function optionFields({ providers = {} }: SourceKindInfo, provider: string): SourceField[] {
  const { options = {}, required = [] } = providers[provider] ?? {};
  return Object.entries(options).map(([name, description]) => ({
    name: `options.${name}`,
    input: 'text',
    isRequired: required.some(([first, ...others]) => first === name && others.length === 0),
    isFixed: false,
    choices: {},
    initial: '',
    description: plain(description),
  }));
}

function choicesOf(
  { providers = {}, programs = [] }: SourceKindInfo,
  name: string,
  schema: FieldSchema,
): Record<string, string> {
  const named = (values: readonly string[]): Record<string, string> =>
    Object.fromEntries(values.map((value) => [value, providers[value]?.title ?? value]));
  return named(name === 'program' ? programs : (schema.enum ?? []));
}

function inputOf(name: string, schema: FieldSchema, choices: object): SourceField['input'] {
  const { type, format, maxLength = 0 } = schema;
  if (name === 'schedule') return 'schedule';
  if (Object.keys(choices).length > 0) return 'choice';
  if (type === 'array') return 'lines';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  if (format === 'date') return 'date';
  return maxLength > LINE_LENGTH ? 'long' : 'text';
}

function initialOf(name: string, schema: FieldSchema): FieldValue {
  if (schema.type === 'boolean') return schema.default === true;
  return name === 'schedule' ? DEFAULT_SCHEDULE : '';
}

/** The secrets of a source, with their titles in English. @param provider of a storage */
export function secretsOf(info: SourceKindInfo, provider: string): Record<string, string> {
  const titles = info.providers?.[provider]?.secrets ?? info.secrets;
  return Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, plain(title)]));
}

/** Without the marks of Markdown for code. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** The values of the fields of an existing source. */
export function valuesOf(config: SourceConfig): FieldValues {
  const { options, ...rest } = config;
  const ofOptions = Object.entries(options ?? {}).map(([name, value]) => [`options.${name}`, value]);
  const values = Object.entries({ ...rest, ...Object.fromEntries(ofOptions) }).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join('\n') : typeof value === 'number' ? String(value) : value,
  ]);
  return Object.fromEntries(values) as FieldValues;
}

/** The configuration that the values of the fields mean. */
export function configOf(kind: string, fields: readonly SourceField[], values: FieldValues): SourceConfig {
  const config: SourceConfig = { kind };
  const options: Record<string, string> = {};
  for (const { name, input, initial } of fields) {
    const value = values[name] ?? initial;
    const text = typeof value === 'string' ? value.trim() : '';
    if (name.startsWith('options.')) {
      if (text !== '') options[name.slice('options.'.length)] = text;
    } else if (input === 'schedule') config[name] = text;
    else if (input === 'switch') {
      if (value !== initial) config[name] = value;
    } else if (text !== '') {
      config[name] = input === 'lines' ? linesOf(text) : input === 'number' ? Number(text) : text;
    }
  }
  return Object.keys(options).length > 0 ? { ...config, options } : config;
}

/** The `config` of an update: what may change. A field without a value is removed. */
export function changesOf(config: SourceConfig, fields: readonly SourceField[]): SourceConfig {
  const names = new Set(
    fields
      .filter(({ isFixed }) => !isFixed)
      .map(({ name }) => (name.startsWith('options.') ? 'options' : name)),
  );
  return Object.fromEntries([...names].map((name) => [name, config[name] ?? null]));
}

/** Whether all fields have a value that need one. */
export function isComplete(fields: readonly SourceField[], config: SourceConfig): boolean {
  const values = valuesOf(config);
  return fields.every(({ name, isRequired }) => !isRequired || values[name] !== undefined);
}
