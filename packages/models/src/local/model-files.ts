import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Files of a model, without its weights, with paths of the hub. */
export const MODEL_FILES: readonly { file: string; isRequired: boolean }[] = [
  { file: 'config.json', isRequired: true },
  { file: 'tokenizer.json', isRequired: true },
  { file: 'tokenizer_config.json', isRequired: true },
  { file: 'config_sentence_transformers.json', isRequired: false },
  { file: '1_Pooling/config.json', isRequired: false },
];

/** Weights in the order of preference: 8 bits take a quarter of the memory, and half of the time. */
export const WEIGHTS = [
  'onnx/model_quantized.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model.onnx',
] as const;

/** How the vectors of the tokens become the vector of the text. */
export type Pooling = 'mean' | 'first' | 'last';

/** Texts that a model expects before a query or a document. */
export interface Prompts {
  query: string;
  document: string;
}

/** What the files of a model say. */
export interface ModelFiles {
  weights: Uint8Array;
  tokenizer: object;
  tokenizerConfig: object;
  pooling: Pooling;
  prompts: Prompts;
  /** Maximum length of an input, in tokens. */
  maxTokens: number;
  /** `[a-z0-9_]`, differs if the vectors cannot be compared. */
  fingerprint: string;
}

/** Texts are chunks. Longer inputs cost more than they gain, even if the model accepts them. */
const MAX_TOKENS = 512;

/** Families whose prompts or pooling their ONNX files on the hub do not contain. Source: the model cards. */
const FAMILIES: readonly { name: RegExp; prompts: Prompts; pooling: Pooling }[] = [
  { name: /e5-/i, prompts: { query: 'query: ', document: 'passage: ' }, pooling: 'mean' },
  {
    name: /bge-(?:small|base|large)-en|mxbai-embed|snowflake-arctic-embed-[a-z]+$/i,
    prompts: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
    pooling: 'first',
  },
  { name: /bge-m3|gte-multilingual/i, prompts: { query: '', document: '' }, pooling: 'first' },
  {
    name: /nomic-embed-text/i,
    prompts: { query: 'search_query: ', document: 'search_document: ' },
    pooling: 'mean',
  },
];

/**
 * Reads a model from a directory.
 *
 * @param name the name in the configuration, a hub id or a directory
 * @throws Error that names a file that is missing or malformed
 */
export async function readModelFiles(directory: string, name: string): Promise<ModelFiles> {
  const json = async (file: string): Promise<object | undefined> => {
    const text = await readFile(join(directory, file), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as object);
  };
  const required = async (file: string): Promise<object> => {
    const content = await json(file);
    if (content === undefined) throw new Error(`The model has no file ${file}.`);
    return content;
  };
  const config: { max_position_embeddings?: unknown; _name_or_path?: unknown } =
    await required('config.json');
  const tokenizerConfig: { model_max_length?: unknown } = await required('tokenizer_config.json');
  const tokenizer = await required('tokenizer.json');
  const weights = await readWeights(directory);
  const family = FAMILIES.find((entry) =>
    [name, config._name_or_path].some((of) => entry.name.test(String(of))),
  );
  const pooling = readPooling(await json('1_Pooling/config.json')) ?? family?.pooling ?? 'mean';
  const prompts = readPrompts(await json('config_sentence_transformers.json')) ??
    family?.prompts ?? { query: '', document: '' };
  const maxTokens = Math.min(
    MAX_TOKENS,
    positive(tokenizerConfig.model_max_length),
    positive(config.max_position_embeddings),
  );
  const identity = createHash('sha256')
    .update(weights)
    .update(JSON.stringify([tokenizer, pooling, prompts, maxTokens]));
  const slug = basename(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40);
  return {
    weights,
    tokenizer,
    tokenizerConfig,
    pooling,
    prompts,
    maxTokens,
    fingerprint: `local_${slug}_${identity.digest('hex').slice(0, 8)}`,
  };
}

async function readWeights(directory: string): Promise<Uint8Array> {
  for (const file of WEIGHTS) {
    const weights = await readFile(join(directory, file)).catch(() => undefined);
    if (weights) return weights;
  }
  throw new Error(`The model has no weights in ONNX format: none of the files ${WEIGHTS.join(', ')} exists.`);
}

/** Reads `1_Pooling/config.json` of Sentence Transformers. */
export function readPooling(config: object | undefined): Pooling | undefined {
  if (config === undefined) return undefined;
  const isSet = (mode: string): boolean => Reflect.get(config, `pooling_mode_${mode}`) === true;
  if (isSet('cls_token')) return 'first';
  return isSet('lasttoken') ? 'last' : 'mean';
}

/** Reads the prompts of `config_sentence_transformers.json`; undefined if the file names none. */
export function readPrompts(config: object | undefined): Prompts | undefined {
  const prompts = (config as { prompts?: Record<string, string> } | undefined)?.prompts;
  if (!prompts) return undefined;
  const document = prompts['document'] ?? prompts['passage'] ?? '';
  const query = prompts['query'] ?? '';
  return query === '' && document === '' ? undefined : { query, document };
}

/** Tokenizers without a limit state a very large number. */
function positive(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : Number.POSITIVE_INFINITY;
}
