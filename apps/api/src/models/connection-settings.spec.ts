import { loadConfig } from '@citewell/config';
import {
  ModelConnections,
  type ModelKind,
  type SettingsPoll,
  Secrets,
  type StoredConnection,
} from '@citewell/infrastructure';
import { describe, expect, it } from '@jest/globals';
import { ConnectionSettings } from './connection-settings.js';

const NONE = { store: async () => undefined, remove: async () => undefined };
const POLL: Pick<SettingsPoll, 'read'> = { read: async () => undefined };

function settingsWith(kind: ModelKind, env: Record<string, string> = {}): ConnectionSettings {
  const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', ...env });
  return new ConnectionSettings(kind, new ModelConnections(NONE, new Secrets(config), POLL, config));
}

const STORED: StoredConnection = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'http://127.0.0.1:8080/v1',
  apiKey: 'sk-very-private-9Qz7',
  hasKey: true,
  problem: null,
};
const check = async (
  kind: ModelKind,
  body: { provider: string; model?: string; baseUrl?: string; apiKey?: string },
  { env = {}, stored = null }: { env?: Record<string, string>; stored?: StoredConnection | null } = {},
) => {
  const choice = { model: 'm', ...body };
  return (await settingsWith(kind, env).check(choice, stored, () => undefined)).connection;
};

describe('ConnectionSettings', () => {
  it.each<[ModelKind, { provider: string; model?: string; baseUrl?: string; apiKey?: string }, object]>([
    ['chat', { provider: 'mistralai', apiKey: 'k' }, { baseUrl: null, apiKey: 'k' }],
    ['chat', { provider: 'ollama' }, { baseUrl: null, apiKey: null }],
    ['embedding', { provider: 'openai', baseUrl: 'http://127.0.0.1:8080/v1' }, { apiKey: null }],
    ['embedding', { provider: 'ollama' }, { provider: 'ollama', model: 'm' }],
    ['rerank', { provider: 'cohere', apiKey: 'k' }, { model: 'm', apiKey: 'k' }],
    ['rerank', { provider: 'tei', baseUrl: 'http://127.0.0.1:8080' }, { model: '' }],
    ['rerank', { provider: 'chat', model: 'm' }, { model: '', baseUrl: null, apiKey: null }],
    ['rerank', { provider: 'local', model: '' }, { model: '', baseUrl: null, apiKey: null }],
    ['rerank', { provider: 'local', model: 'Xenova/m' }, { model: 'Xenova/m', apiKey: null }],
  ])('accepts %#', async (kind, body, expected) => {
    expect(await check(kind, body)).toMatchObject(expected);
  });

  it.each<[ModelKind, { provider: string; model?: string; baseUrl?: string; apiKey?: string }, RegExp]>([
    ['embedding', { provider: 'anthropic', apiKey: 'k' }, /openai, ollama/],
    ['embedding', { provider: 'constructor', apiKey: 'k' }, /openai, ollama/],
    ['embedding', { provider: 'openai' }, /needs a key/],
    ['embedding', { provider: 'openai', baseUrl: 'http://10.0.0.1/v1' }, /private network/],
    ['rerank', { provider: 'cohere', model: '', apiKey: 'k' }, /model/],
    ['rerank', { provider: 'tei' }, /the address of the server/],
    ['rerank', { provider: 'tei', baseUrl: 'http://169.254.169.254' }, /private network/],
    ['rerank', { provider: 'chat', apiKey: 'k' }, /leave out address and key/],
    ['rerank', { provider: 'local', baseUrl: 'http://127.0.0.1:8080' }, /leave out address and key/],
    ['rerank', { provider: 'other' }, /cohere, tei, chat, local/],
    ['chat', { provider: 'azure', apiKey: 'k' }, /the address of the resource/],
  ])('refuses %#', async (kind, body, message) => {
    const error = await check(kind, body).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(JSON.stringify(error) + String(error)).toMatch(message);
  });

  it.each([
    ['the same address', { baseUrl: STORED.baseUrl! }, STORED.apiKey],
    ['another address', { baseUrl: 'http://localhost:8080/v1' }, null],
    ['another key', { baseUrl: STORED.baseUrl!, apiKey: 'new' }, 'new'],
    ['no key', { baseUrl: STORED.baseUrl!, apiKey: '' }, null],
    ['another provider', { provider: 'ollama', baseUrl: STORED.baseUrl! }, null],
  ])('with %s, the stored key stays only where it was entered', async (_, body, apiKey) => {
    const found = await check('embedding', { provider: 'openai', ...body }, { stored: STORED });
    expect(found).toMatchObject({ apiKey });
  });

  it('lets variables decide about address and key of their provider', async () => {
    const env = { OPENAI_API_KEY: 'of-the-environment', RERANK_BASE_URL: 'http://10.0.0.1' };
    for (const [kind, provider] of [
      ['embedding', 'openai'],
      ['rerank', 'tei'],
    ] as const) {
      await expect(check(kind, { provider, apiKey: 'k' }, { env })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await check(kind, { provider }, { env, stored: STORED })).toMatchObject({ apiKey: null });
    }
    expect(await check('embedding', { provider: 'ollama' }, { env })).toMatchObject({ apiKey: null });
    await expect(
      check('embedding', { provider: 'ollama' }, { env: { MODEL_NETWORKS: 'none' } }),
    ).rejects.toThrow(/MODEL_NETWORKS/);
  });

  it('shows the end of a key, never the key', () => {
    const shown = settingsWith('embedding').show(STORED);
    expect(shown).toMatchObject({ provider: 'openai', hasKey: true, keyEnd: '9Qz7' });
    expect(JSON.stringify(shown)).not.toContain('private');
    const short = settingsWith('rerank').show({ ...STORED, apiKey: 'sk-123' });
    expect(short).toMatchObject({ hasKey: true, keyEnd: null });
  });
});
