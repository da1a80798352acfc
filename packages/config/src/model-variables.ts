import { z } from 'zod';
import { CIDR, flag, list, text, url, variable, wholeNumber } from './variable.js';

/** Networks in CIDR notation. `none` stands for an empty list. */
const networks = z
  .string()
  .transform((value) => (value.trim() === 'none' ? '' : value))
  .pipe(list)
  .refine(
    (entries) => entries.every((network) => CIDR.safeParse(network).success),
    'must be `none`, or networks in CIDR notation, such as 10.20.0.0/16',
  );

/** Where the models of the first organization may be if `MODEL_NETWORKS` is unset: this machine. */
const THIS_MACHINE: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** The private networks that models and identity providers of the first organization may be in. */
export function modelNetworks({
  MODEL_NETWORKS,
}: {
  MODEL_NETWORKS?: readonly string[] | undefined;
}): readonly string[] {
  return MODEL_NETWORKS ?? THIS_MACHINE;
}

/** The variables of chat, embedding and rerank models, in the order of `.env.example`. */
export const MODEL_VARIABLES = {
  OPENAI_API_KEY: variable(text.optional(), 'API key of OpenAI or of the OpenAI-compatible server.'),
  OPENAI_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of an OpenAI-compatible server (Ollama, vLLM, llama.cpp, …). If unset, OpenAI.',
    'http://localhost:11434/v1',
  ),
  CHAT_MODEL: variable(
    text.optional(),
    'Chat model, such as `anthropic:claude-sonnet-4-5`. If unset, an answer quotes the best passages.',
    'gpt-4o-mini',
  ),
  CHAT_IDLE_TIMEOUT_MS: variable(
    wholeNumber(1_000, 3_600_000).default(60_000),
    'Longest time in milliseconds in which a chat model may send nothing. Reasoning counts as something. Raise it for a model that needs long for a prompt.',
  ),
  CHAT_TIMEOUT_MS: variable(
    wholeNumber(1_000, 7_200_000).default(600_000),
    'Time limit of a whole answer of a chat model, in milliseconds.',
  ),
  MODEL_GPT_3_5_TURBO: variable(
    text.optional(),
    "The provider's model for `gpt_3_5_turbo`. If unset, CHAT_MODEL.",
  ),
  MODEL_GPT_3_5_TURBO_16K: variable(
    text.optional(),
    "The provider's model for `gpt_3_5_turbo_16k`. If unset, CHAT_MODEL.",
  ),
  MODEL_GPT_4: variable(text.optional(), "The provider's model for `gpt_4`. If unset, CHAT_MODEL."),
  MODEL_GPT_4_32K: variable(text.optional(), "The provider's model for `gpt_4_32k`. If unset, CHAT_MODEL."),
  AZURE_OPENAI_API_KEY: variable(
    text.optional(),
    'API key of Azure OpenAI, for chat models `azure:<deployment>`.',
  ),
  AZURE_OPENAI_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'Address of the resource, of its `/openai/v1`, or of Azure AI Foundry with `/models`.',
    'https://my-resource.openai.azure.com',
  ),
  AZURE_OPENAI_API_VERSION: variable(text.optional(), 'Version of the API. If unset, 2024-10-21.'),
  ANTHROPIC_API_KEY: variable(text.optional(), 'API key of Anthropic, for chat models `anthropic:…`.'),
  ANTHROPIC_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of a server with the API of Anthropic. If unset, Anthropic.',
  ),
  GOOGLE_API_KEY: variable(text.optional(), 'API key of Google AI, for chat models `google-genai:…`.'),
  GOOGLE_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of a server with the API of Google AI. If unset, Google.',
  ),
  MISTRAL_API_KEY: variable(text.optional(), 'API key of Mistral, for chat models `mistralai:…`.'),
  MISTRAL_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of a server with the API of Mistral. If unset, Mistral.',
  ),
  OLLAMA_API_KEY: variable(text.optional(), "API key of Ollama's cloud. A local Ollama needs none."),
  OLLAMA_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of Ollama, for chat models `ollama:…`. If unset, http://127.0.0.1:11434.',
  ),
  EMBEDDING_MODEL: variable(
    text.optional(),
    'Embedding model: `builtin`, `local`, `local:` with a hub id, directory or URL, a model of a server with the API of OpenAI, or `none` for search by words only. If unset, the choice in the settings, at first `builtin`.',
    'text-embedding-3-small',
  ),
  EMBEDDING_DIMENSIONS: variable(
    wholeNumber(2, 65_536).optional(),
    'Dimensions of an embedding. If unset, they are determined with one request at start.',
  ),
  RERANK_MODEL: variable(
    text.optional(),
    'Rerank model at RERANK_BASE_URL, `tei`, `local`, `local:` with a hub id or a directory, or `chat` for the chat model. If unset, no reranking.',
    'rerank-v3.5',
  ),
  RERANK_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Address of a server with the rerank API of Cohere or Jina AI, without /rerank, or of a TEI server.',
    'https://api.cohere.com/v2',
  ),
  RERANK_API_KEY: variable(text.optional(), 'API key of the rerank server.'),
  RERANK_TIMEOUT_MS: variable(
    wholeNumber(1, 60_000).default(2_000),
    'Time limit of reranking, in milliseconds. After it, passages keep the order of the search.',
  ),
  MODEL_NETWORKS: variable(
    networks.optional(),
    'Private networks (CIDR, comma-separated) that addresses of the first organization, which is that of the operator, may lead to: of models in the settings, webhooks and identity providers. `none`: no network. If unset, models and identity providers may be on this machine, and webhooks lead to no private network. Addresses of variables are not limited.',
    '127.0.0.0/8,::1/128,10.20.0.0/16',
  ),
  ORGANIZATION_MODELS: variable(
    flag.default(false),
    'Whether each organization may choose a chat model of its own, with its own key.',
  ),
  ORGANIZATION_MODEL_NETWORKS: variable(
    networks.prefault('none'),
    'As MODEL_NETWORKS, for the other organizations. If unset, no network.',
    '10.20.0.0/16',
  ),
  HF_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'Address of the hub that `local` models are downloaded from. If unset, Hugging Face.',
    'https://hub.example.com',
  ),
  CONTEXT_TOKENS: variable(
    wholeNumber(256, 1_000_000).default(4_000),
    'Maximum number of tokens of passages in a prompt.',
  ),
} as const;
