import { CHAT_PROVIDERS, EMBEDDING_PROVIDERS, RERANK_PROVIDERS } from '@citewell/models';
import type { SettingRules } from './connection-settings.js';

const OLLAMA_URL = 'http://127.0.0.1:11434';

const variablesOf = <Name extends string, Variables>(providers: Record<Name, Variables>) =>
  Object.fromEntries(
    (Object.keys(providers) as Name[]).map((name) => [name, { variables: providers[name] }]),
  ) as Record<Name, { variables: Variables }>;

const chat = variablesOf(CHAT_PROVIDERS);
export const CHAT_RULES = {
  kind: 'chat',
  variable: 'CHAT_MODEL',
  providers: {
    ...chat,
    azure: {
      ...chat.azure,
      addressHint: 'the address of the resource, such as https://my-resource.openai.azure.com',
    },
    ollama: { ...chat.ollama, localUrl: OLLAMA_URL },
  },
} satisfies SettingRules;

const embedding = variablesOf(EMBEDDING_PROVIDERS);
export const EMBEDDING_RULES = {
  kind: 'embedding',
  variable: 'EMBEDDING_MODEL',
  providers: { ...embedding, ollama: { ...embedding.ollama, localUrl: OLLAMA_URL } },
} satisfies SettingRules;

const rerank = variablesOf(RERANK_PROVIDERS);
export const RERANK_RULES = {
  kind: 'rerank',
  variable: 'RERANK_MODEL',
  providers: {
    ...rerank,
    tei: {
      ...rerank.tei,
      addressHint: 'the address of the server, such as http://127.0.0.1:8080',
      model: 'none',
    },
    chat: { variables: null, model: 'none' },
    local: { variables: null, model: 'optional' },
  },
} satisfies SettingRules;
