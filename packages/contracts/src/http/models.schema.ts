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

/** The embedding model of the installation: the choice, its progress, and what is offered. */
export const embeddingSettingsSchema = z
  .object({
    name: z.string().describe('The chosen model: `builtin`, or as in the variable EMBEDDING_MODEL.'),
    chosenBy: z
      .enum(['default', 'setting', 'environment'])
      .describe('`environment`: the variable EMBEDDING_MODEL is set, and the choice cannot be changed.'),
    preparation: z
      .object({
        step: z.enum(['installing', 'downloading', 'loading', 'failed']),
        done: z
          .number()
          .nullable()
          .describe('Part of the current file that is there, 0 to 1. Null if unknown.'),
        message: z.string().nullable().describe('Why it failed. It is tried again after a minute.'),
      })
      .nullable()
      .describe('What the server does before it can use the model. Meanwhile the earlier one answers.'),
    documents: z
      .object({
        done: z.number().int().describe('Found by the vectors of the chosen model.'),
        total: z.number().int(),
      })
      .describe('The documents of all organizations. The switch is complete when all are done.'),
    secondsLeft: z.number().int().nullable().describe('Until all documents are done. Null if unknown.'),
    offers: z
      .array(
        z.object({
          name: z.string(),
          languages: z.enum(['english', 'multilingual']),
          downloadBytes: z.number().int().describe('0 if everything is on the server.'),
          seconds: z
            .number()
            .int()
            .describe('Estimated time to embed what is stored, from the speed of this machine.'),
        }),
      )
      .describe('Local models that were tried.'),
  })
  .meta({
    id: 'EmbeddingSettings',
    examples: [
      {
        name: 'builtin',
        chosenBy: 'default',
        preparation: null,
        documents: { done: 12, total: 12 },
        secondsLeft: null,
        offers: [
          {
            name: 'local:Xenova/all-MiniLM-L6-v2',
            languages: 'english',
            downloadBytes: 137_000_000,
            seconds: 95,
          },
        ],
      },
    ],
  });
export type EmbeddingSettings = z.infer<typeof embeddingSettingsSchema>;

export const chooseEmbeddingModelSchema = z
  .object({
    name: z
      .string()
      .max(2_000)
      .regex(/^(?:builtin|local(?::[\s\S]+)?)$/, 'must be `builtin`, `local` or `local:` with a source')
      .describe(
        '`builtin`, `local` (multilingual-e5-small), or `local:` with the id of a model on the hub, a directory of the ' +
          'server, or the URL of a folder with the files of a model.',
      ),
  })
  .meta({ id: 'ChooseEmbeddingModel', examples: [{ name: 'local:Xenova/all-MiniLM-L6-v2' }] });
export type ChooseEmbeddingModel = z.infer<typeof chooseEmbeddingModelSchema>;
