import { z } from 'zod';
import {
  MAX_PROMPT_LENGTH,
  clientIdSchema,
  descriptionSchema,
  idSchema,
  nameSchema,
  numberSchema,
  querySchema,
  storedTextSchema,
  timestampsSchema,
  visibilitySchema,
  wholeNumberSchema,
} from '../fields.js';
import { filtersSchema } from './search.schema.js';
import { messageStateSchema } from './conversations.schema.js';
import {
  answerSentenceSchema,
  finishReasonSchema,
  SOURCE_EXAMPLE,
  sourceSchema,
  sourceTableSchema,
  tableQuerySchema,
  usageSchema,
} from './sources.schema.js';

/** Model names of the API. The configuration maps each to a model of the provider. */
export const MODEL_NAMES = ['gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4', 'gpt_4_32k'] as const;
export const modelNameSchema = z.enum(MODEL_NAMES);
export type ModelName = z.infer<typeof modelNameSchema>;

export const promptTypeSchema = z.enum(['raw', 'customer_support']);
/** `""` means no prompt type. */
const optionalPromptTypeSchema = z.enum([...promptTypeSchema.options, '']);
const temperatureSchema = numberSchema(0, 1);
export const onUnsupportedSchema = z
  .enum(['mark', 'quote'])
  .describe(
    'What happens to an answer of a model with a sentence that no passage supports. `mark`: the sentence has `supported: false` in `sentences`. `quote`: quotes of the passages replace the answer, which is therefore sent when it is complete.',
  );
const topKSchema = wholeNumberSchema(1, 100).describe(
  'How many passages are searched for an answer. Fewer are used if they exceed the `CONTEXT_TOKENS` of the server.',
);
const retentionDaysSchema = wholeNumberSchema(1, 36_500)
  .nullable()
  .describe(
    'Conversations are deleted so many days (of 24 hours) after their last message, within some minutes. Null: they are kept.',
  );
const allDatastoresSchema = z
  .boolean()
  .describe(
    'True for one agent, which `GET /agents/all` returns: it answers from every datastore that the caller may read, later ones too, and `datastoreIds` has their ids. It cannot be public, and is not deleted.',
  );
const minScoreSchema = numberSchema(0, 1).describe(
  'Passages with a lower `score` are not used. An agent that is restricted to its sources abstains if none is left.',
);
/** Each becomes a question, or thousands of tokens of passages. */
const MAX_PLACEHOLDERS = 10;
const promptSchema = storedTextSchema
  .max(MAX_PROMPT_LENGTH)
  .refine(
    (prompt) => (prompt.match(/\{(?:query|context)\}/g)?.length ?? 0) <= MAX_PLACEHOLDERS,
    `must have at most ${MAX_PLACEHOLDERS} placeholders ({query} or {context})`,
  );

const REPLACED_BY_PROMPTS = { deprecated: true, description: 'Use `systemPrompt` and `userPrompt`.' };

const CREATE_EXAMPLE = {
  name: 'Support',
  description: 'Answers questions about our pumps.',
  modelName: 'gpt_4',
  temperature: 0.2,
  visibility: 'private',
  systemPrompt: 'Answer in two or three sentences. Address engineers.',
  datastoreIds: ['0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12'],
  restrictToSources: true,
};

export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    modelName: modelNameSchema,
    temperature: temperatureSchema.describe('0 to 1.'),
    visibility: visibilitySchema,
    systemPrompt: z.string(),
    userPrompt: z.string(),
    promptType: optionalPromptTypeSchema,
    promptTemplate: z.string(),
    datastoreIds: z.array(z.string()),
    allDatastores: allDatastoresSchema,
    restrictToSources: z
      .boolean()
      .describe(
        'True: if the documents do not contain the answer, the agent says so and does not answer from the model.',
      ),
    topK: topKSchema,
    minScore: minScoreSchema,
    onUnsupported: onUnsupportedSchema,
    retentionDays: retentionDaysSchema,
    timestamps: timestampsSchema,
  })
  .meta({
    id: 'Agent',
    examples: [
      {
        id: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03',
        ...CREATE_EXAMPLE,
        userPrompt: '',
        promptType: '',
        promptTemplate: '',
        topK: 12,
        minScore: 0.5,
        onUnsupported: 'mark',
        retentionDays: null,
        allDatastores: false,
        timestamps: { createdAt: '2026-03-02T08:15:00.000Z', updatedAt: '2026-03-02T08:15:00.000Z' },
      },
    ],
  });
export type Agent = z.infer<typeof agentSchema>;

const writableAgentFields = {
  description: descriptionSchema,
  modelName: modelNameSchema,
  temperature: temperatureSchema.describe('0 to 1.'),
  visibility: visibilitySchema.describe('A public agent may have publishable keys, which web pages contain.'),
  systemPrompt: promptSchema,
  userPrompt: promptSchema.describe('A template with `{query}` and `{context}`.'),
  promptType: optionalPromptTypeSchema.meta(REPLACED_BY_PROMPTS),
  promptTemplate: promptSchema.meta(REPLACED_BY_PROMPTS),
  datastoreIds: z.array(idSchema).max(100),
  restrictToSources: z.boolean(),
  topK: topKSchema.describe(`${topKSchema.description} Default: 12.`),
  minScore: minScoreSchema.describe(
    `${minScoreSchema.description} Default: 0.5. With the default, an agent that has a chat model and is restricted to its sources uses passages from 0.05 on: the model decides whether they answer the question.`,
  ),
  onUnsupported: onUnsupportedSchema.describe(`${onUnsupportedSchema.description} Default: mark.`),
  retentionDays: retentionDaysSchema,
};

export const createAgentSchema = z
  .object({ name: nameSchema, ...z.object(writableAgentFields).partial().shape })
  .meta({ id: 'CreateAgent', examples: [CREATE_EXAMPLE] });
export type CreateAgent = z.infer<typeof createAgentSchema>;

/** Every field is optional. An absent field keeps its value. */
export const updateAgentSchema = z
  .object({ name: nameSchema, ...writableAgentFields })
  .partial()
  .meta({ id: 'UpdateAgent', examples: [{ temperature: 0, restrictToSources: true }] });
export type UpdateAgent = z.infer<typeof updateAgentSchema>;

export const agentQuerySchema = z
  .object({
    query: querySchema.describe('1 to 8,192 characters.'),
    conversationId: clientIdSchema.describe(
      'Continues a conversation. If absent or unknown, a new conversation starts.',
    ),
    visitorId: clientIdSchema,
    temperature: temperatureSchema.nullish().describe('0 to 1.'),
    streaming: z.boolean().nullish(),
    resumable: z
      .boolean()
      .nullish()
      .describe(
        'Only with `streaming`. The question is stored at once, and the answer as it is written. The answer does not end when the client disconnects: `GET /agents/{id}/answers/{messageId}/stream` continues the stream, and `POST …/stop` ends the answer. The stream begins with a `started` event that has the ids.',
      ),
    modelName: z.enum(['gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4']).nullish(),
    maxTokens: wholeNumberSchema(1, 1_000_000).nullish().describe('Maximum number of tokens of the answer.'),
    presencePenalty: numberSchema(-2, 2).nullish().describe('-2 to 2.'),
    frequencyPenalty: numberSchema(-2, 2).nullish().describe('-2 to 2.'),
    topP: numberSchema(0, 1).nullish().describe('0 to 1. Change either this or `temperature`, not both.'),
    topK: topKSchema.nullish(),
    minScore: minScoreSchema.nullish(),
    filters: filtersSchema.nullish(),
    systemPrompt: promptSchema.nullish(),
    userPrompt: promptSchema.nullish(),
    promptType: optionalPromptTypeSchema.nullish().meta(REPLACED_BY_PROMPTS),
    promptTemplate: promptSchema.nullish().meta(REPLACED_BY_PROMPTS),
    visitorToken: z
      .string()
      .max(255)
      .nullish()
      .describe('Only with a publishable key: continues the conversation with whose answer it was returned.'),
  })
  .meta({
    id: 'AgentQuery',
    description: 'A question, and settings that override the settings of the agent for this question.',
    examples: [
      { query: 'How long is the warranty of the pump?', visitorId: 'customer-42', streaming: false },
    ],
  });
export type AgentQuery = z.infer<typeof agentQuerySchema>;

const ANSWER_EXAMPLE = {
  answer: 'The warranty lasts two years from the date of purchase [1].',
  conversationId: '0199c7a5-4e8a-7b59-8c06-9e3d1f5b7a48',
  visitorId: 'customer-42',
  messageId: '0199c7a6-1d2e-7f48-b395-0a7c4e6d8b36',
  abstained: false,
  finishReason: 'stop' as const,
};

export const agentAnswerSchema = z
  .object({
    answer: z.string(),
    conversationId: z.string(),
    visitorId: z.string(),
    sources: z.array(sourceSchema),
    messageId: z.string(),
    abstained: z
      .boolean()
      .describe('True if the documents do not contain the answer, and the agent says so.'),
    finishReason: finishReasonSchema,
    passagesLeftOut: z
      .number()
      .int()
      .optional()
      .describe(
        'How many of the passages that were found the model could not be given, because they exceed its context. Absent if it was given all.',
      ),
    sentences: z
      .array(answerSentenceSchema)
      .optional()
      .describe(
        'Of an answer of a model: its sentences, without questions, headings and code. Absent without passages, and if the answer has another language than the passages.',
      ),
    stored: z
      .literal(false)
      .optional()
      .describe(
        "False if the server's storage is full: the conversation does not contain this answer. Absent otherwise.",
      ),
    state: z
      .literal('stopped')
      .optional()
      .describe('Only if the answer was stopped: it has what was written until then. Absent otherwise.'),
    usage: usageSchema.optional(),
  })
  .meta({
    id: 'AgentAnswer',
    examples: [
      { ...ANSWER_EXAMPLE, sources: [SOURCE_EXAMPLE], usage: { inputTokens: 812, outputTokens: 16 } },
    ],
  });
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

export const agentProfileSchema = agentSchema
  .pick({ id: true, name: true, description: true })
  .meta({ id: 'AgentProfile', description: 'What anybody may know about a public agent.' });
export type AgentProfile = z.infer<typeof agentProfileSchema>;

const publicTableQuerySchema = tableQuerySchema
  .extend({ tables: z.array(tableQuerySchema.shape.tables.element.omit({ datasource_id: true })) })
  .meta({ id: 'PublicTableQuery', description: 'A query of tables that the answer is based on.' });

export const publicSourceSchema = sourceSchema
  .pick({
    datasource_name: true,
    title: true,
    source: true,
    text: true,
    source_url: true,
    page_number: true,
    recognized: true,
    confidence: true,
    described: true,
    heading_path: true,
    quote: true,
    added: true,
  })
  .extend({
    number: z.number().int(),
    table: sourceTableSchema
      .omit({ number: true })
      .extend({ queries: z.array(publicTableQuerySchema).optional() })
      .meta({
        id: 'PublicSourceTable',
        description: 'The rows of a table that the answer counts and shows, or the queries of a model.',
      })
      .optional(),
  })
  .meta({ id: 'PublicSource', description: 'A passage that the answer cites as `[number]`.' });
export type PublicSource = z.infer<typeof publicSourceSchema>;

export const publicAnswerSchema = agentAnswerSchema
  .pick({
    answer: true,
    conversationId: true,
    visitorId: true,
    messageId: true,
    abstained: true,
    finishReason: true,
    state: true,
    sentences: true,
  })
  .extend({
    sources: z.array(publicSourceSchema).describe('The cited passages only.'),
    visitorToken: z.string().describe('Sent with the next question, it continues the conversation.'),
  })
  .meta({
    id: 'PublicAnswer',
    description: 'An answer to a query with a publishable key.',
    examples: [
      {
        ...ANSWER_EXAMPLE,
        sources: [
          {
            datasource_name: 'Pump P200',
            source: 'Pump P200',
            text: SOURCE_EXAMPLE.text,
            page_number: 4,
            quote: SOURCE_EXAMPLE.quote,
            number: 1,
          },
        ],
        visitorToken: 'vQ7sJ2mX9cT4bL6kR1yW8d',
      },
    ],
  });
export type PublicAnswer = z.infer<typeof publicAnswerSchema>;

export const answerStartSchema = z
  .object({
    conversationId: z.string(),
    visitorId: z.string(),
    messageId: z.string(),
    visitorToken: z.string().optional().describe('Only with a publishable key.'),
  })
  .describe('With these ids, a client comes back to a resumable answer.');
export type AnswerStart = z.infer<typeof answerStartSchema>;

export const answerStateSchema = z
  .object({
    messageId: z.string(),
    state: messageStateSchema.describe(
      '`answering` until the process that writes the answer has stopped it.',
    ),
  })
  .meta({ id: 'AnswerState', description: '`answering` until the server has stopped the answer.' });
export type AnswerState = z.infer<typeof answerStateSchema>;
