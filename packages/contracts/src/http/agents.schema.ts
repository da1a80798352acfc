import { z } from 'zod';
import {
  MAX_PROMPT_LENGTH,
  clientIdSchema,
  descriptionSchema,
  filtersSchema,
  idSchema,
  nameSchema,
  numberSchema,
  querySchema,
  storedTextSchema,
  timestampsSchema,
  visibilitySchema,
  wholeNumberSchema,
} from './fields.js';
import { sourceSchema, usageSchema } from './sources.schema.js';

/** Model names of the API. The configuration maps each to a model of the provider. */
export const MODEL_NAMES = ['gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4', 'gpt_4_32k'] as const;
export const modelNameSchema = z.enum(MODEL_NAMES);
export type ModelName = z.infer<typeof modelNameSchema>;

export const promptTypeSchema = z.enum(['raw', 'customer_support']);
/** `""` means no prompt type. */
const optionalPromptTypeSchema = z.enum([...promptTypeSchema.options, '']);
const temperatureSchema = numberSchema(0, 1);
/** Each becomes a question, or thousands of tokens of passages. */
const MAX_PLACEHOLDERS = 10;
const promptSchema = storedTextSchema
  .max(MAX_PROMPT_LENGTH)
  .refine(
    (prompt) => (prompt.match(/\{(?:query|context)\}/g)?.length ?? 0) <= MAX_PLACEHOLDERS,
    `must have at most ${MAX_PLACEHOLDERS} placeholders ({query} or {context})`,
  );

export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    modelName: modelNameSchema,
    temperature: temperatureSchema,
    visibility: visibilitySchema,
    systemPrompt: z.string(),
    userPrompt: z.string(),
    promptType: optionalPromptTypeSchema,
    promptTemplate: z.string(),
    datastoreIds: z.array(z.string()),
    restrictToSources: z.boolean(),
    timestamps: timestampsSchema,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof agentSchema>;

const writableAgentFields = {
  description: descriptionSchema,
  modelName: modelNameSchema,
  temperature: temperatureSchema,
  visibility: visibilitySchema.describe('A public agent may have publishable keys, which web pages contain.'),
  systemPrompt: promptSchema,
  userPrompt: promptSchema,
  promptType: optionalPromptTypeSchema,
  promptTemplate: promptSchema,
  datastoreIds: z.array(idSchema).max(100),
  restrictToSources: z.boolean(),
};

export const createAgentSchema = z
  .object({ name: nameSchema, ...z.object(writableAgentFields).partial().shape })
  .meta({ id: 'CreateAgent' });
export type CreateAgent = z.infer<typeof createAgentSchema>;

/** Every field is optional. An absent field keeps its value. */
export const updateAgentSchema = z
  .object({ name: nameSchema, ...writableAgentFields })
  .partial()
  .meta({ id: 'UpdateAgent' });
export type UpdateAgent = z.infer<typeof updateAgentSchema>;

export const agentQuerySchema = z
  .object({
    query: querySchema,
    conversationId: clientIdSchema,
    visitorId: clientIdSchema,
    temperature: temperatureSchema.nullish(),
    streaming: z.boolean().nullish(),
    modelName: z.enum(['gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4']).nullish(),
    maxTokens: wholeNumberSchema(1, 1_000_000).nullish(),
    presencePenalty: numberSchema(-2, 2).nullish(),
    frequencyPenalty: numberSchema(-2, 2).nullish(),
    topP: numberSchema(0, 1).nullish(),
    filters: filtersSchema,
    systemPrompt: promptSchema.nullish(),
    userPrompt: promptSchema.nullish(),
    promptType: optionalPromptTypeSchema.nullish(),
    promptTemplate: promptSchema.nullish(),
    visitorToken: z
      .string()
      .max(255)
      .nullish()
      .describe('Only with a publishable key: continues the conversation with whose answer it was returned.'),
  })
  .meta({ id: 'AgentQuery' });
export type AgentQuery = z.infer<typeof agentQuerySchema>;

export const agentAnswerSchema = z
  .object({
    answer: z.string(),
    conversationId: z.string(),
    visitorId: z.string(),
    sources: z.array(sourceSchema),
    messageId: z.string(),
    abstained: z.boolean(),
    /** Only when the storage is full: the question and its answer are not in the conversation. */
    stored: z.literal(false).optional(),
    usage: usageSchema.optional(),
  })
  .meta({ id: 'AgentAnswer' });
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

/** What anybody may know about a public agent. */
export const agentProfileSchema = agentSchema
  .pick({ id: true, name: true, description: true })
  .meta({ id: 'AgentProfile' });
export type AgentProfile = z.infer<typeof agentProfileSchema>;

/** A passage that an answer cites as `[number]`, without what only the organization may know. */
export const publicSourceSchema = sourceSchema
  .pick({
    datasource_name: true,
    source: true,
    text: true,
    source_url: true,
    page_number: true,
    heading_path: true,
  })
  .extend({ number: z.number().int() })
  .meta({ id: 'PublicSource' });
export type PublicSource = z.infer<typeof publicSourceSchema>;

/** The answer to a query with a publishable key. */
export const publicAnswerSchema = agentAnswerSchema
  .pick({ answer: true, conversationId: true, visitorId: true, messageId: true, abstained: true })
  .extend({
    sources: z.array(publicSourceSchema),
    /** Proves, with the next query, that the conversation belongs to the visitor. */
    visitorToken: z.string(),
  })
  .meta({ id: 'PublicAnswer' });
export type PublicAnswer = z.infer<typeof publicAnswerSchema>;
