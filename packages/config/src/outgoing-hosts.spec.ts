import { expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { namedAddresses, outgoingHosts } from './outgoing-hosts.js';

const listed = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(outgoingHosts(loadConfig(env)).map(({ host, why }) => [host, why]));

it('without settings, only what people choose leaves the machine', () => {
  expect(Object.keys(listed({}))).toEqual([
    'huggingface.co, and hosts that it leads to',
    'the npm registry',
    'any public host',
  ]);
  expect(listed({ OFFLINE: 'true' })).toEqual({});
});

it.each<[Record<string, string>, Record<string, string>]>([
  [{ OPENAI_BASE_URL: 'http://localhost:11434/v1', QDRANT_URL: 'http://[::1]:6333' }, {}],
  [{ DATABASE_URL: 'postgres:///citewell?host=/run/postgresql' }, {}],
  [
    { DATABASE_URL: 'postgres://u:hunter2@db.lan:5433/c', REDIS_URL: 'redis://:hunter2@db.lan:6379' },
    { 'db.lan:5433': 'database (DATABASE_URL)', 'db.lan:6379': 'queue (REDIS_URL)' },
  ],
  [
    { QDRANT_URL: 'http://q1:6333,http://q2:6333' },
    { 'q1:6333': 'vectors (QDRANT_URL)', 'q2:6333': 'vectors (QDRANT_URL)' },
  ],
  [
    { OPENAI_BASE_URL: 'https://llm.lan/v1', RERANK_BASE_URL: 'https://llm.lan/v2' },
    { 'llm.lan': 'models (OPENAI_BASE_URL), rerank model (RERANK_BASE_URL)' },
  ],
  [
    { EMBEDDING_MODEL: 'local:https://models.lan/e5/' },
    { 'models.lan': 'downloads of local models (EMBEDDING_MODEL)' },
  ],
  [
    { ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8,127.0.0.0/8', MODEL_NETWORKS: '127.0.0.0/8,10.0.0.0/8' },
    {
      '10.0.0.0/8':
        'pages (ALLOW_PRIVATE_NETWORKS), what the operator chooses in the settings (MODEL_NETWORKS)',
    },
  ],
])('offline, %j leaves %j', (env, hosts) => {
  expect(listed({ ...env, OFFLINE: 'true' })).toEqual(hosts);
});

it('providers and AWS have a host without a variable for it, which OFFLINE refuses at the start', () => {
  const env = { ANTHROPIC_API_KEY: 'hunter2', S3_BUCKET: 'files', S3_REGION: 'eu-central-1' };
  expect(listed(env)).toMatchObject({
    'api.anthropic.com': 'models (ANTHROPIC_API_KEY)',
    's3.eu-central-1.amazonaws.com': 'files (S3_BUCKET)',
  });
  expect(() => loadConfig({ ...env, OFFLINE: 'true' })).toThrow(
    /ANTHROPIC_BASE_URL: is required with OFFLINE.*\n.*S3_ENDPOINT: is required with OFFLINE.*\n.*S3_ACCESS_KEY_ID: is required with OFFLINE/,
  );
  const addresses = { ANTHROPIC_BASE_URL: 'http://llm.lan', S3_ENDPOINT: 'http://s3.lan:9000' };
  const keys = { S3_ACCESS_KEY_ID: 'files', S3_SECRET_ACCESS_KEY: 'hunter2' };
  expect(() => loadConfig({ ...env, ...addresses, OFFLINE: 'true' })).toThrow(/:\n +S3_ACCESS_KEY_ID: .+$/);
  const config = loadConfig({ ...env, ...addresses, ...keys, OFFLINE: 'true' });
  expect(namedAddresses(config).map(({ hostname }) => hostname)).toEqual(['s3.lan', 'llm.lan']);
});
