import { z } from 'zod';

/** One environment variable: how it is read, and what `.env.example` says of it. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Unit and effect, for the operator. */
  readonly description: string;
  readonly example?: string;
}

export function variable<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example?: string,
): Variable<Schema> {
  return example === undefined ? { schema, description } : { schema, description, example };
}

const wholeNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`));
const text = z.string().min(1);
export const url = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      const parsed = URL.parse(value);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/**
 * Every variable that Citewell reads, in the order of `.env.example`. What is given is used; a part whose
 * address is not given is embedded.
 */
export const VARIABLES = {
  PORT: variable(wholeNumber(0, 65_535).default(3000), 'TCP port of the HTTP API. 0 takes a free one.'),
  HOST: variable(text.default('127.0.0.1'), 'Address to listen on. 0.0.0.0 lets other machines in.'),
  PUBLIC_URL: variable(
    url('http:', 'https:').optional(),
    'Address under which clients reach the API, without /api.',
    'https://answers.example.com',
  ),
  CITEWELL_DATA_DIR: variable(
    text.default('.citewell'),
    'Directory of everything that is embedded: database, vectors, files.',
  ),
  CITEWELL_API_KEY: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible characters')
      .optional(),
    "The first organization's first key. Without it one is generated at the first start and printed once.",
  ),
  CITEWELL_ADMIN_KEY: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible characters')
      .optional(),
    'The key that may create and delete organizations. Without it nobody may.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').optional(),
    'Postgres 14 or newer.',
    'postgres://citewell:secret@localhost:5432/citewell',
  ),
  DATABASE_POOL_SIZE: variable(
    wholeNumber(2, 200).default(10),
    'Connections to Postgres per process, those of the queue not counted.',
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:').optional(),
    'Redis 6.2 or newer for the queue. Without it the queue lives in Postgres.',
    'redis://localhost:6379',
  ),
  QDRANT_URL: variable(url('http:', 'https:').optional(), 'Qdrant 1.18 or newer.', 'http://localhost:6333'),
  QDRANT_API_KEY: variable(text.optional(), "Qdrant's API key."),
  QDRANT_SHARDS: variable(wholeNumber(1, 1_000).default(1), 'Shards of a collection when it is created.'),
  QDRANT_REPLICAS: variable(
    wholeNumber(1, 10).default(1),
    'Replicas of each shard when a collection is created.',
  ),
  S3_BUCKET: variable(
    text.optional(),
    'Bucket for files and texts. Without it they are kept in the data directory.',
  ),
  S3_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'Address of an S3-compatible server. Without it, AWS.',
    'http://localhost:9000',
  ),
  S3_REGION: variable(text.default('us-east-1'), 'Region of the bucket.'),
  S3_ACCESS_KEY_ID: variable(text.optional(), 'Access key. Without it the AWS default chain is asked.'),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), 'Secret of the access key.'),
  S3_FORCE_PATH_STYLE: variable(
    flag.default(true),
    'Bucket in the path, not in the host name; most self-hosted servers want it.',
  ),
  S3_PREFIX: variable(text.optional(), 'Prefix of every object, for a bucket that others use too.'),
  OPENAI_API_KEY: variable(text.optional(), 'Key for the model provider.'),
  OPENAI_BASE_URL: variable(
    url('http:', 'https:').optional(),
    'Any OpenAI-compatible server (Ollama, vLLM, llama.cpp, …).',
    'http://localhost:11434/v1',
  ),
  CHAT_MODEL: variable(
    text.optional(),
    'Model that answers. Without it, answers are quoted passages.',
    'gpt-4o-mini',
  ),
  MODEL_GPT_3_5_TURBO: variable(
    text.optional(),
    "The provider's model behind `gpt_3_5_turbo`; CHAT_MODEL serves names without one.",
  ),
  MODEL_GPT_3_5_TURBO_16K: variable(text.optional(), "The provider's model behind `gpt_3_5_turbo_16k`."),
  MODEL_GPT_4: variable(text.optional(), "The provider's model behind `gpt_4`."),
  MODEL_GPT_4_32K: variable(text.optional(), "The provider's model behind `gpt_4_32k`."),
  EMBEDDING_MODEL: variable(
    text.optional(),
    'Model that embeds. Without it, search is lexical.',
    'text-embedding-3-small',
  ),
  EMBEDDING_DIMENSIONS: variable(
    wholeNumber(2, 65_536).optional(),
    'Length of an embedding. Without it the model is asked once at start.',
  ),
  CONTEXT_TOKENS: variable(
    wholeNumber(256, 1_000_000).default(4_000),
    'Tokens of passages that go into a prompt at the most.',
  ),
  MAX_UPLOAD_BYTES: variable(
    wholeNumber(1).default(100 * 1024 * 1024),
    'Size of one uploaded file or text at the most, in bytes.',
  ),
  RATE_LIMIT_PER_MINUTE: variable(wholeNumber(0).default(600), 'Requests a minute and key. 0 is no limit.'),
  MAX_CONCURRENT_ANSWERS: variable(
    wholeNumber(1).default(32),
    'Answers under way at once in one organization.',
  ),
  LIMIT_AGENT_QUERIES_PER_MONTH: variable(
    wholeNumber(0).optional(),
    'Agent queries a month of the first organization. Without it, no limit.',
  ),
  LIMIT_STORED_CHARACTERS: variable(
    wholeNumber(0).optional(),
    'Stored characters of the first organization. Without it, no limit.',
  ),
  ALLOW_PRIVATE_NETWORKS: variable(
    list.default([]),
    'Private networks (CIDR, comma-separated) that pages may be fetched from.',
    '10.20.0.0/16',
  ),
  CRAWL_USER_AGENT: variable(
    text.default('Citewell/0.1 (self-hosted document search)'),
    'How the crawler names itself; put a way to reach you into it.',
  ),
  CRAWL_DELAY_MS: variable(
    wholeNumber(0, 3_600_000).default(100),
    'Least time between two requests to one host, in milliseconds; a slow host and its robots.txt make it longer.',
  ),
  CRAWL_CONCURRENCY_PER_HOST: variable(
    wholeNumber(1, 64).default(4),
    'Requests to one host at once; one where robots.txt asks for a delay.',
  ),
  CRAWLER_CONCURRENCY: variable(
    wholeNumber(1, 1_000).default(16),
    'Web sites and single pages that one crawler works on at once; a quarter of them at most wait for one slow host.',
  ),
  HTTPS_PROXY: variable(
    url('http:', 'https:').optional(),
    'The proxy that pages are fetched through, in networks that have one; HTTP_PROXY if that is all that is given.',
    'http://proxy.example.com:3128',
  ),
  HTTP_PROXY: variable(
    url('http:', 'https:').optional(),
    'The proxy for pages of http://, where it is another one.',
    'http://proxy.example.com:3128',
  ),
  NO_PROXY: variable(
    list.default([]),
    'Hosts (comma-separated) that are reached without the proxy: example.org is that host and all below it.',
    'example.org,.internal',
  ),
  NODE_EXTRA_CA_CERTS: variable(
    text.optional(),
    'A PEM file with certificate authorities to trust besides the usual ones. Node itself reads it at start.',
    '/etc/ssl/certs/company.pem',
  ),
  CHROMIUM_PATH: variable(
    text.optional(),
    'The Chromium that pages without a text of their own are opened in. Without it, chromium, chromium-browser or google-chrome on the PATH.',
    '/usr/bin/chromium',
  ),
  RENDER_CONCURRENCY: variable(
    wholeNumber(1, 16).default(2),
    'Pages open at once in the browser of one crawler.',
  ),
  RENDER_TIMEOUT_MS: variable(
    wholeNumber(1_000, 300_000).default(30_000),
    'Time for one page in the browser, in milliseconds.',
  ),
  RENDER_MEMORY_BYTES: variable(
    wholeNumber(256 * 1024 * 1024).default(1024 * 1024 * 1024),
    'Memory of all processes of the browser together, in bytes. The page that needs more is given up.',
  ),
  PARSER_CONCURRENCY: variable(
    wholeNumber(1, 256).default(2),
    'Files parsed at once by one parser, each in a process of its own.',
  ),
  PARSER_TIMEOUT_MS: variable(
    wholeNumber(1_000).default(10 * 60_000),
    'The most time for one file, in milliseconds; a small one has 15 s, and a second for each 50 kB.',
  ),
  PARSER_MEMORY_BYTES: variable(
    wholeNumber(64 * 1024 * 1024).default(1024 * 1024 * 1024),
    'Memory of one parsing process, in bytes.',
  ),
  PARSER_MAX_CHARACTERS: variable(
    wholeNumber(1_000).default(50_000_000),
    'Characters of text from one file at the most.',
  ),
  TESSERACT_PATH: variable(
    text.default('tesseract'),
    'The program that recognises text in pictures: a path, or a name on the PATH. Needs pdftoppm of poppler-utils too.',
  ),
  OCR_LANGUAGES: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9_/-]+(\+[A-Za-z0-9_/-]+)*$/, 'must be names of language data joined by +')
      .default('eng'),
    'Languages of text in pictures, as Tesseract names its data; more of them take longer.',
    'eng+deu',
  ),
  EXTRA_FILE_TYPES: variable(
    list
      .refine(
        (types) => types.every((type) => type === 'application/epub+zip'),
        'must be application/epub+zip or nothing',
      )
      .default([]),
    'Types of files that are taken beside the eight of the interface.',
    'application/epub+zip',
  ),
  INDEXER_CONCURRENCY: variable(wholeNumber(1, 256).default(2), 'Documents indexed at once by one indexer.'),
  LEASE_SECONDS: variable(
    wholeNumber(3, 3_600).default(60),
    'How long a worker that fell silent keeps its work, in seconds.',
  ),
  SHUTDOWN_GRACE_MS: variable(
    wholeNumber(0, 10 * 60_000).default(10_000),
    'How long a stopping process finishes what it has begun, in milliseconds.',
  ),
  WORKER_PORT: variable(
    wholeNumber(0, 65_535).default(0),
    "Port of a worker's /health and /metrics; 0 opens none.",
  ),
  LOG_LEVEL: variable(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'How much is logged.',
  ),
  CITEWELL_FAULT: variable(
    z
      .string()
      .regex(
        /^[a-z-]+(:\d+)?$/,
        'must be the name of a fault point, with a count behind a colon if it is not the first',
      )
      .optional(),
    'For tests: the process ends with SIGKILL at the named step.',
  ),
} as const;
