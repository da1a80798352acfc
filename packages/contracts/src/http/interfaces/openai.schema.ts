import { z } from 'zod';
import {
  MAX_FILTER_IDS,
  numberSchema,
  querySchema,
  storedTextSchema,
  wholeNumberParameterSchema,
  wholeNumberSchema,
} from '../fields.js';

/*
 * Requests in the format of OpenAI, as far as they have a meaning here
 * (https://platform.openai.com/docs/api-reference). Other fields are ignored, except those that would change the
 * meaning of an answer.
 */

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

/** A parameter that is refused, unless its value changes nothing. */
const unsupported = (changesNothing: (value: unknown) => boolean) =>
  z
    .unknown()
    .refine((value) => value === undefined || value === null || changesNothing(value), 'is not supported')
    .optional();

const textPartSchema = z.object({ type: z.literal('text'), text: z.string() });

/** What the question and the instructions consist of. */
const readTextSchema = z
  .union(
    [z.string(), z.array(textPartSchema).transform(joinParts)],
    'must be text: images, audio and files are not supported',
  )
  .nullish()
  .transform((content) => content ?? '');

/** An answer of any model: parts that are not text are left out. */
const answerTextSchema = z
  .union([z.string(), z.array(z.unknown()).transform(textPartsOf)])
  .nullish()
  .transform((content) => content ?? '');

/** The result of a tool that another model has called. The answer that the model made of it follows. */
const toolResultSchema = z
  .unknown()
  .optional()
  .transform(() => '');

const UNKNOWN_ROLE = {
  error: ({ code }: { code?: string | undefined }) =>
    code === 'invalid_union'
      ? 'must be one of system, developer, user, assistant, tool, function'
      : undefined,
};

const chatMessageSchema = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer', 'user']), content: readTextSchema }),
    z.object({ role: z.literal('assistant'), content: answerTextSchema }),
    z.object({ role: z.enum(['tool', 'function']), content: toolResultSchema }),
  ],
  UNKNOWN_ROLE,
);

function textPartsOf(parts: readonly unknown[]): string {
  return joinParts(
    parts.flatMap((part) => {
      const { success, data } = textPartSchema.safeParse(part);
      return success ? [data] : [];
    }),
  );
}

function joinParts(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => text).join('\n');
}

export const chatCompletionSchema = z.object({
  model: z.string().min(1).max(255),
  messages: z.array(chatMessageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  metadata: z
    .object({
      /** Whether the text of the answer ends with a list of the cited sources. */
      citewell_sources: z.enum(['list', 'none']).optional(),
    })
    .nullish(),
  temperature: numberSchema(0, 2).nullish(),
  max_completion_tokens: wholeNumberSchema(1, 1_000_000).nullish(),
  max_tokens: wholeNumberSchema(1, 1_000_000).nullish(),
  top_p: numberSchema(0, 1).nullish(),
  presence_penalty: numberSchema(-2, 2).nullish(),
  frequency_penalty: numberSchema(-2, 2).nullish(),
  n: unsupported(isOneOf(1)),
  tools: unsupported(isEmpty),
  functions: unsupported(isEmpty),
  response_format: unsupported((value) => (value as { type?: unknown }).type === 'text'),
  stop: unsupported(isEmpty),
  logprobs: unsupported(isOneOf(false)),
  logit_bias: unsupported(isEmpty),
  modalities: unsupported((value) => Array.isArray(value) && value.every((modality) => modality === 'text')),
  audio: unsupported(isEmpty),
});
export type ChatCompletionRequest = z.infer<typeof chatCompletionSchema>;

const attributeValueSchema = z.union([storedTextSchema.max(255), z.number(), z.boolean()]);
/** `file_id` and `custom_id` of a datasource, or a field of its metadata. */
const attributeFilterSchema = z.object({
  type: z.enum(['eq', 'in']),
  key: storedTextSchema.min(1).max(255),
  value: z.union([attributeValueSchema, z.array(attributeValueSchema).min(1).max(MAX_FILTER_IDS)]),
});

export const vectorStoreSearchSchema = z.object({
  query: z.union([querySchema, z.array(querySchema).min(1).max(10)]),
  max_num_results: wholeNumberSchema(1, 50).nullish(),
  filters: z
    .union(
      [
        attributeFilterSchema,
        z.object({ type: z.literal('and'), filters: z.array(attributeFilterSchema).min(1).max(20) }),
      ],
      'must compare an attribute by eq or in, or combine such filters by and',
    )
    .nullish(),
  ranking_options: z.object({ score_threshold: numberSchema(0, 1).nullish() }).nullish(),
});
export type VectorStoreSearch = z.infer<typeof vectorStoreSearchSchema>;

/** Newest first. `after` is an id. */
export const listVectorStoresSchema = z.object({
  limit: wholeNumberParameterSchema(1, 100).default(20),
  after: z.guid('must be the id of a vector store').optional(),
  order: z.literal('desc').default('desc'),
});
export type ListVectorStores = z.infer<typeof listVectorStoresSchema>;
