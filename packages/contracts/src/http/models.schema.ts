import { z } from 'zod';
import { modelNameSchema } from './agents.schema.js';

export const chatModelSchema = z
  .object({
    name: z.string().describe('The name at the provider.'),
    provider: z.string(),
    modelNames: z.array(modelNameSchema).describe('The model names of agents that stand for this model.'),
  })
  .meta({ id: 'ChatModel' });
export type ChatModelInfo = z.infer<typeof chatModelSchema>;

/** The configured models. Keys and addresses are not shown: they belong to the operator of the server. */
export const modelsSchema = z
  .object({
    chat: z.array(chatModelSchema).describe('Empty if answers consist of quotes.'),
    embedding: z
      .object({ name: z.string(), provider: z.string(), dimensions: z.number().int() })
      .nullable()
      .describe('Null if documents are searched by words alone.'),
    rerank: z
      .object({ name: z.string().describe('`chat` stands for the chat model of new agents.') })
      .nullable()
      .describe('Null if passages keep the order of the search.'),
  })
  .meta({ id: 'Models' });
export type Models = z.infer<typeof modelsSchema>;

export const testModelSchema = z
  .object({
    kind: z.enum(['chat', 'embedding', 'rerank']),
    modelName: modelNameSchema
      .default('gpt_3_5_turbo')
      .describe('Which chat model. Default: that of new agents.'),
  })
  .meta({ id: 'TestModel', examples: [{ kind: 'chat', modelName: 'gpt_4' }] });
export type TestModel = z.infer<typeof testModelSchema>;

export const modelTestSchema = z
  .object({
    ok: z.boolean(),
    durationMs: z.number().int(),
    message: z.string().describe('A sentence: that the model works, or why it does not.'),
  })
  .meta({ id: 'ModelTest', examples: [{ ok: true, durationMs: 640, message: 'The model answered.' }] });
export type ModelTest = z.infer<typeof modelTestSchema>;
