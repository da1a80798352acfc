import { isLoopback } from '@citewell/web/loopback';
import type { Config } from './config.js';

/** A host outside of this machine that the settings allow the service to call. */
export interface OutgoingHost {
  /** With its port, if the address has one. Or a network, or a sentence about several hosts. */
  readonly host: string;
  readonly why: string;
}

/** What the service calls at the addresses in variables. */
const NAMED = {
  DATABASE_URL: 'database',
  REDIS_URL: 'queue',
  QDRANT_URL: 'vectors',
  S3_ENDPOINT: 'files',
  SMTP_URL: 'mails',
  OPENAI_BASE_URL: 'models',
  AZURE_OPENAI_ENDPOINT: 'models',
  ANTHROPIC_BASE_URL: 'models',
  GOOGLE_BASE_URL: 'models',
  MISTRAL_BASE_URL: 'models',
  OLLAMA_BASE_URL: 'models',
  RERANK_BASE_URL: 'rerank model',
  HF_ENDPOINT: 'downloads of local models',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'traces and metrics',
  HTTPS_PROXY: 'proxy for pages',
  HTTP_PROXY: 'proxy for pages',
} as const;

/** Providers of models that have an address without a variable for it. The key says that they are used. */
const PROVIDERS = [
  { host: 'api.openai.com', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  { host: 'api.anthropic.com', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  { host: 'generativelanguage.googleapis.com', key: 'GOOGLE_API_KEY', address: 'GOOGLE_BASE_URL' },
  { host: 'api.mistral.ai', key: 'MISTRAL_API_KEY', address: 'MISTRAL_BASE_URL' },
] as const;

const NETWORKS = {
  ALLOW_PRIVATE_NETWORKS: 'pages',
  MODEL_NETWORKS: 'what the operator chooses in the settings',
  ORGANIZATION_MODEL_NETWORKS: 'what organizations choose in the settings',
} as const;

const LOCAL_URL = /^local:(https?:.+)$/i;
const LOOPBACK_NETWORK = /^127\.|^::1\//;

/** The addresses that variables name: the only ones that `OFFLINE` leaves, besides allowed networks. */
export function namedAddresses(config: Config): URL[] {
  return named(config).map(({ url }) => url);
}

function named(config: Config): { url: URL; why: string }[] {
  const fixed = Object.entries(NAMED).flatMap(([name, what]) =>
    // `QDRANT_URL` is a list.
    [config[name as keyof typeof NAMED] ?? []].flat().map((address) => ({ address, what, name })),
  );
  const local = (['EMBEDDING_MODEL', 'RERANK_MODEL'] as const).flatMap((name) => {
    const address = LOCAL_URL.exec(config[name] ?? '')?.[1];
    return address === undefined ? [] : [{ address, what: 'downloads of local models', name }];
  });
  return [...fixed, ...local].flatMap(({ address, what, name }) => {
    const url = URL.parse(address);
    return url === null || url.hostname === '' ? [] : [{ url, why: `${what} (${name})` }];
  });
}

/** Every host outside of this machine that the settings allow the service to call, and why, for the operator. */
export function outgoingHosts(config: Config): OutgoingHost[] {
  const reasons = new Map<string, string[]>();
  const add = (host: string, why: string): void => {
    reasons.set(host, [...(reasons.get(host) ?? []), why]);
  };
  for (const { url, why } of named(config)) if (!isLoopback(url.hostname)) add(url.host, why);
  for (const [name, what] of Object.entries(NETWORKS))
    for (const network of config[name as keyof typeof NETWORKS] ?? [])
      if (!LOOPBACK_NETWORK.test(network)) add(network, `${what} (${name})`);
  if (!config.OFFLINE) {
    for (const { host, why } of unnamedHosts(config)) add(host, why);
    if (config.HF_ENDPOINT === undefined)
      add('huggingface.co, and hosts that it leads to', 'downloads of local models that somebody chooses');
    add('the npm registry', 'programs that run local models, once, when somebody chooses one');
    add(
      'any public host',
      'pages and sites that people add, and models, webhooks and single sign-on that people set up',
    );
  }
  return [...reasons].map(([host, why]) => ({ host, why: [...new Set(why)].join(', ') }));
}

/** Hosts of the variables without an address of their own. */
function unnamedHosts(config: Config): (OutgoingHost & { missing: string })[] {
  const providers = PROVIDERS.filter(
    ({ key, address }) => config[key] !== undefined && config[address] === undefined,
  ).map(({ host, key, address }) => ({ host, why: `models (${key})`, missing: address }));
  if (config.S3_BUCKET === undefined) return providers;
  const why = 'files (S3_BUCKET)';
  const host = `s3.${config.S3_REGION}.amazonaws.com`;
  return [
    ...providers,
    ...(config.S3_ENDPOINT === undefined ? [{ host, why, missing: 'S3_ENDPOINT' }] : []),
    // Without a key, the client of AWS looks for one: in the metadata of the machine, and at services of AWS.
    ...(config.S3_ACCESS_KEY_ID === undefined
      ? [{ host: 'AWS, for credentials', why, missing: 'S3_ACCESS_KEY_ID' }]
      : []),
  ];
}

/** One problem for each host that the variables need and `OFFLINE` refuses. */
export function offlineProblems(config: Config): string[] {
  return config.OFFLINE
    ? unnamedHosts(config).map(
        ({ host, why, missing }) => `${missing}: is required with OFFLINE, which refuses ${host}: ${why}`,
      )
    : [];
}
