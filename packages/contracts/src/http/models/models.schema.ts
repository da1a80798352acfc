import { z } from 'zod';
import { modelNameSchema } from '../answering/agents.schema.js';

export const chatModelSchema = z
  .object({
    name: z.string().describe('The name at the provider.'),
    provider: z.string(),
    modelNames: z.array(modelNameSchema).describe('The model names of agents that stand for this model.'),
  })
  .meta({ id: 'ChatModel' });
export type ChatModelInfo = z.infer<typeof chatModelSchema>;

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
  .meta({
    id: 'Models',
    description: 'The models of the organization: those of the server, and its own chat model.',
  });
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
    sample: z.string().nullable().describe('What a chat model has written, at most 200 characters.'),
    dimensions: z.number().int().optional().describe('Length of the vectors of an embedding model.'),
    scores: z
      .array(z.number())
      .optional()
      .describe('What a rerank model gives to a passage that answers, and to one that does not.'),
  })
  .meta({
    id: 'ModelTest',
    examples: [{ ok: true, durationMs: 640, message: 'The model answered.', sample: 'Yes.' }],
  });
export type ModelTest = z.infer<typeof modelTestSchema>;

/** A choice of a model and its server. */
const settingsShape = {
  provider: z.string().nullable().describe('Null if no model is chosen.'),
  model: z.string().nullable().describe('The name at the provider.'),
  baseUrl: z.string().nullable().describe('Null for the address of the provider, or of a variable.'),
  hasKey: z.boolean().describe('Whether a key is stored.'),
  keyEnd: z.string().nullable().describe('The last four characters of a stored key of 16 or more.'),
  chosenBy: z
    .enum(['default', 'setting', 'environment'])
    .describe('`environment`: a variable such as CHAT_MODEL is set, and the choice cannot be changed.'),
  problem: z.string().nullable().describe('Why the stored choice cannot be used, in a sentence.'),
  providers: z
    .array(
      z.object({
        name: z.string(),
        fixedBy: z
          .array(z.string())
          .describe(
            'The set variables with the address or key of this provider. The settings have neither then.',
          ),
      }),
    )
    .describe('What may be chosen.'),
};

const chooseShape = {
  provider: z.string().max(50).describe('One of the providers that the settings of this kind of model name.'),
  model: z.string().trim().min(1).max(200).describe('The name at the provider.'),
  baseUrl: z
    .string()
    .trim()
    .max(2_000)
    .nullish()
    .describe('Address of the server, such as `http://127.0.0.1:11434/v1`. Null: that of the provider.'),
  apiKey: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[\x21-\x7e]*$/, 'must consist of visible ASCII characters')
    .nullish()
    .describe(
      'Left out: the stored key stays if provider and address stay. Null or empty: no key. It is stored encrypted and never returned.',
    ),
  test: z
    .boolean()
    .optional()
    .describe('False: the model is stored without a test, such as one whose server is down. Default: true.'),
};

export const embeddingSettingsSchema = z
  .object({
    name: z
      .string()
      .describe(
        'The chosen model: `builtin`, `<provider>:<model>` of a server, or as in the variable EMBEDDING_MODEL.',
      ),
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
        failed: z
          .number()
          .int()
          .describe('Could not be embedded, and are found as before. They are tried again after an hour.'),
        total: z.number().int(),
      })
      .describe(
        'The documents of all organizations. The switch is complete when all are done or have failed.',
      ),
    secondsLeft: z.number().int().nullable().describe('Until all documents are done. Null if unknown.'),
    problem: z
      .string()
      .nullable()
      .describe('Why the last request to the model failed. Null if it was answered. Meanwhile words answer.'),
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
    server: z
      .object({
        ...settingsShape,
        provider: z.string().nullable().describe('Null if the chosen model is not one of a server.'),
      })
      .describe('The server of the chosen model, and what may be chosen. The key itself is never shown.'),
  })
  .meta({
    id: 'EmbeddingSettings',
    description: 'The embedding model of the installation: the choice, its progress, and what is offered.',
    examples: [
      {
        name: 'builtin',
        chosenBy: 'default',
        preparation: null,
        documents: { done: 12, failed: 0, total: 12 },
        problem: null,
        secondsLeft: null,
        offers: [
          {
            name: 'local:Xenova/all-MiniLM-L6-v2',
            languages: 'english',
            downloadBytes: 137_000_000,
            seconds: 95,
          },
        ],
        server: {
          provider: null,
          model: null,
          baseUrl: null,
          hasKey: false,
          keyEnd: null,
          chosenBy: 'default',
          problem: null,
          providers: [{ name: 'openai', fixedBy: [] }],
        },
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

export const chatSettingsSchema = z
  .object({
    ...settingsShape,
    provider: z
      .string()
      .nullable()
      .describe(
        'Null if no model is chosen: answers consist of quotes or, for an organization, are those of the installation.',
      ),
  })
  .meta({
    id: 'ChatSettings',
    description: 'The chat model of the installation or of an organization. The key itself is never shown.',
    examples: [
      {
        provider: 'openai',
        model: 'gpt-4o-mini',
        baseUrl: null,
        hasKey: true,
        keyEnd: 'Xw4Z',
        chosenBy: 'setting',
        problem: null,
        providers: [
          { name: 'openai', fixedBy: [] },
          { name: 'ollama', fixedBy: ['OLLAMA_BASE_URL'] },
        ],
      },
    ],
  });
export type ChatSettings = z.infer<typeof chatSettingsSchema>;

export const chooseChatModelSchema = z.object(chooseShape).meta({
  id: 'ChooseChatModel',
  examples: [{ provider: 'openai', model: 'qwen2.5:7b', baseUrl: 'http://127.0.0.1:11434/v1' }],
});
export type ChooseChatModel = z.infer<typeof chooseChatModelSchema>;

export const chooseEmbeddingServerSchema = z.object(chooseShape).meta({
  id: 'ChooseEmbeddingServer',
  examples: [{ provider: 'ollama', model: 'bge-m3', baseUrl: 'http://127.0.0.1:11434' }],
});
export type ChooseEmbeddingServer = z.infer<typeof chooseEmbeddingServerSchema>;

export const rerankSettingsSchema = z
  .object({
    ...settingsShape,
    provider: z
      .string()
      .nullable()
      .describe(
        'Null if passages keep the order of the search. `cohere`: a server with the API of Cohere or Jina AI; `tei`: ' +
          'Text Embeddings Inference; `chat`: the chat model of new agents; `local`: a model on the server.',
      ),
  })
  .meta({
    id: 'RerankSettings',
    description: 'The rerank model of the installation. The key itself is never shown.',
    examples: [
      {
        provider: 'cohere',
        model: 'rerank-v3.5',
        baseUrl: null,
        hasKey: true,
        keyEnd: 'Xw4Z',
        chosenBy: 'setting',
        problem: null,
        providers: [
          { name: 'cohere', fixedBy: [] },
          { name: 'tei', fixedBy: [] },
          { name: 'chat', fixedBy: [] },
          { name: 'local', fixedBy: [] },
        ],
      },
    ],
  });
export type RerankSettings = z.infer<typeof rerankSettingsSchema>;

export const chooseRerankModelSchema = z
  .object({
    ...chooseShape,
    model: z
      .string()
      .trim()
      .max(200)
      .default('')
      .describe(
        'The name at the provider. `tei` and `chat` have none. Of `local`: what follows `local:` in RERANK_MODEL, or nothing for the default one.',
      ),
  })
  .meta({
    id: 'ChooseRerankModel',
    examples: [{ provider: 'tei', baseUrl: 'http://127.0.0.1:8080' }],
  });
export type ChooseRerankModel = z.infer<typeof chooseRerankModelSchema>;
