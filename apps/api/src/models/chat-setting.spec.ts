import type { ModelSetting, ModelSettingRepository } from '@citewell/database';
import { loadConfig } from '@citewell/config';
import { Secrets } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ChatChoice, ChatSetting } from './chat-setting.js';

const CHOICE: ChatChoice = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'https://a.example/v1',
  apiKey: 'sk-123',
};
let row: ModelSetting | null;
let isLost: boolean;
const warnings: unknown[] = [];

/** A process of the service. */
function newProcess(env: Record<string, string> = {}): ChatSetting {
  const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', ...env });
  const settings: Pick<ModelSettingRepository, 'read' | 'store' | 'remove'> = {
    read: () => (isLost ? Promise.reject(new Error('no database')) : Promise.resolve(row)),
    store: async (_, setting) => void (row = setting),
    remove: async () => void (row = null),
  };
  return new ChatSetting(
    // Only these methods are used.
    settings as ModelSettingRepository,
    new Secrets(config),
    config,
    new Metrics('test'),
    { warn: (...args: unknown[]) => void warnings.push(args) },
  );
}

beforeEach(() => {
  row = null;
  isLost = false;
});

describe('ChatSetting', () => {
  it('is followed by other processes, which keep what they have without the database', async () => {
    const [one, other] = [newProcess(), newProcess()];
    await one.choose(CHOICE);
    expect(other.current).toBeNull();
    await other.follow();
    expect(other.current).toMatchObject({ ...CHOICE, hasKey: true, problem: null });
    const { chat } = other.current ?? {};
    await other.follow();
    expect(other.current?.chat).toBe(chat);
    isLost = true;
    await other.follow();
    expect(other.current?.chat).toBe(chat);
    isLost = false;
    await one.remove();
    await other.follow();
    expect(other.current).toBeNull();
  });

  it('stores no key in clear', async () => {
    await newProcess().choose(CHOICE);
    expect(JSON.stringify(row)).not.toContain('sk-123');
    expect(row).toMatchObject({ name: 'openai:m', baseUrl: CHOICE.baseUrl });
  });

  it.each([
    ['another secret', { CITEWELL_SECRET: 'another-secret-of-it' }, {}],
    ['an address that was changed in the database', {}, { baseUrl: 'https://b.example/v1' }],
    ['a provider that was changed in the database', {}, { name: 'mistralai:m' }],
  ])('fails, and tells why, with %s', async (_, env, changed) => {
    await newProcess().choose(CHOICE);
    row = { ...row!, ...changed };
    const process = newProcess(env);
    await process.follow();
    expect(process.current).toMatchObject({
      hasKey: true,
      apiKey: null,
      problem: expect.stringContaining('decrypted'),
    });
    const answer = process.current?.chat.stream({ messages: [] }, { signal: new AbortController().signal });
    await expect(answer?.[Symbol.asyncIterator]().next()).rejects.toThrow(/Enter the key again/);
  });

  it('tells why requests to the chosen model fail, until another one is chosen', async () => {
    const process = newProcess({ MODEL_NETWORKS: 'none' });
    // The guard refuses the connection.
    await process.choose({ ...CHOICE, baseUrl: 'http://127.0.0.1:1/v1' });
    expect(process.problem).toBeNull();
    const answer = process.current?.chat.stream(
      { messages: [{ role: 'user', content: 'why?' }] },
      { signal: new AbortController().signal },
    );
    await expect(answer?.[Symbol.asyncIterator]().next()).rejects.toThrow();
    expect(process.problem).toEqual(expect.any(String));
    expect(process.problem).not.toContain('sk-123');
    await process.choose({ ...CHOICE, model: 'other' });
    expect(process.problem).toBeNull();
  });

  it('accepts a model of Azure with the address of its resource', async () => {
    const azure: ChatChoice = { ...CHOICE, provider: 'azure', model: 'my-deployment' };
    const process = newProcess();
    await process.choose({ ...azure, baseUrl: 'https://r.openai.azure.com' });
    expect(process.current).toMatchObject({ provider: 'azure', model: 'my-deployment', problem: null });
    await expect(process.open({ ...azure, baseUrl: null })).rejects.toThrow(/the address in the settings/);
  });

  it('takes the connection of the environment where there is one', async () => {
    const process = newProcess({ OPENAI_API_KEY: 'of-the-environment', MODEL_NETWORKS: 'none' });
    await process.open({ ...CHOICE, baseUrl: 'http://127.0.0.1:8080/v1' });
    await expect(
      newProcess({ MODEL_NETWORKS: 'none' }).open({ ...CHOICE, baseUrl: 'http://127.0.0.1:8080/v1' }),
    ).rejects.toThrow(/MODEL_NETWORKS/);
  });
});
