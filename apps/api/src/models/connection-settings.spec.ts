import { loadConfig } from '@citewell/config';
import {
  ModelConnections,
  type SettingsPoll,
  Secrets,
  type StoredConnection,
} from '@citewell/infrastructure';
import { describe, expect, it } from '@jest/globals';
import { ConnectionSettings, type SettingRules } from './connection-settings.js';
import { CHAT_RULES, EMBEDDING_RULES, RERANK_RULES } from './setting-rules.js';

const NONE = { store: async () => undefined, remove: async () => undefined };
const POLL: Pick<SettingsPoll, 'read'> = { read: async () => undefined };

function settingsWith(env: Record<string, string> = {}): ConnectionSettings {
  const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', ...env });
  return new ConnectionSettings(new ModelConnections(NONE, new Secrets(config), POLL, config));
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
  rules: SettingRules,
  body: { provider: string; model?: string; baseUrl?: string; apiKey?: string },
  { env = {}, stored = null }: { env?: Record<string, string>; stored?: StoredConnection | null } = {},
) => {
  const choice = { model: 'm', ...body };
  return (await settingsWith(env).check(rules, choice, stored, () => undefined)).connection;
};

describe('ConnectionSettings', () => {
  it.each<[SettingRules, { provider: string; model?: string; baseUrl?: string; apiKey?: string }, object]>([
    [CHAT_RULES, { provider: 'mistralai', apiKey: 'k' }, { baseUrl: null, apiKey: 'k' }],
    [CHAT_RULES, { provider: 'ollama' }, { baseUrl: null, apiKey: null }],
    [EMBEDDING_RULES, { provider: 'openai', baseUrl: 'http://127.0.0.1:8080/v1' }, { apiKey: null }],
    [EMBEDDING_RULES, { provider: 'ollama' }, { provider: 'ollama', model: 'm' }],
    [RERANK_RULES, { provider: 'cohere', apiKey: 'k' }, { model: 'm', apiKey: 'k' }],
    [RERANK_RULES, { provider: 'tei', baseUrl: 'http://127.0.0.1:8080' }, { model: '' }],
    [RERANK_RULES, { provider: 'chat', model: 'm' }, { model: '', baseUrl: null, apiKey: null }],
    [RERANK_RULES, { provider: 'local', model: '' }, { model: '', baseUrl: null, apiKey: null }],
    [RERANK_RULES, { provider: 'local', model: 'Xenova/m' }, { model: 'Xenova/m', apiKey: null }],
  ])('accepts %#', async (rules, body, expected) => {
    expect(await check(rules, body)).toMatchObject(expected);
  });

  it.each<[SettingRules, { provider: string; model?: string; baseUrl?: string; apiKey?: string }, RegExp]>([
    [EMBEDDING_RULES, { provider: 'anthropic', apiKey: 'k' }, /openai, ollama/],
    [EMBEDDING_RULES, { provider: 'constructor', apiKey: 'k' }, /openai, ollama/],
    [EMBEDDING_RULES, { provider: 'openai' }, /needs a key/],
    [EMBEDDING_RULES, { provider: 'openai', baseUrl: 'http://10.0.0.1/v1' }, /private network/],
    [RERANK_RULES, { provider: 'cohere', model: '', apiKey: 'k' }, /model/],
    [RERANK_RULES, { provider: 'tei' }, /the address of the server/],
    [RERANK_RULES, { provider: 'tei', baseUrl: 'http://169.254.169.254' }, /private network/],
    [RERANK_RULES, { provider: 'chat', apiKey: 'k' }, /leave out address and key/],
    [RERANK_RULES, { provider: 'local', baseUrl: 'http://127.0.0.1:8080' }, /leave out address and key/],
    [RERANK_RULES, { provider: 'other' }, /cohere, tei, chat, local/],
    [CHAT_RULES, { provider: 'azure', apiKey: 'k' }, /the address of the resource/],
  ])('refuses %#', async (rules, body, message) => {
    const error = await check(rules, body).catch((thrown: unknown) => thrown);
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
    const found = await check(EMBEDDING_RULES, { provider: 'openai', ...body }, { stored: STORED });
    expect(found).toMatchObject({ apiKey });
  });

  it('lets variables decide about address and key of their provider', async () => {
    const env = { OPENAI_API_KEY: 'of-the-environment', RERANK_BASE_URL: 'http://10.0.0.1' };
    for (const [rules, provider] of [
      [EMBEDDING_RULES, 'openai'],
      [RERANK_RULES, 'tei'],
    ] as const) {
      await expect(check(rules, { provider, apiKey: 'k' }, { env })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await check(rules, { provider }, { env, stored: STORED })).toMatchObject({ apiKey: null });
    }
    expect(await check(EMBEDDING_RULES, { provider: 'ollama' }, { env })).toMatchObject({ apiKey: null });
    await expect(
      check(EMBEDDING_RULES, { provider: 'ollama' }, { env: { MODEL_NETWORKS: 'none' } }),
    ).rejects.toThrow(/MODEL_NETWORKS/);
  });

  it('shows the end of a key, never the key', () => {
    const shown = settingsWith().show(EMBEDDING_RULES, 'setting', STORED);
    expect(shown).toMatchObject({ provider: 'openai', hasKey: true, keyEnd: '9Qz7' });
    expect(JSON.stringify(shown)).not.toContain('private');
    const short = settingsWith().show(RERANK_RULES, 'setting', { ...STORED, apiKey: 'sk-123' });
    expect(short).toMatchObject({ hasKey: true, keyEnd: null });
  });
});
