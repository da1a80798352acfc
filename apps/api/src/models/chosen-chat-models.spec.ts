import type { ModelSetting } from '@citewell/database';
import { loadConfig } from '@citewell/config';
import { type ModelConnection, ModelConnections, Secrets, SettingsPoll } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatSetting } from './chosen-chat-models.js';

const CHOICE: ModelConnection = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'https://a.example/v1',
  apiKey: 'sk-123',
};
let row: ModelSetting | null;
let isLost: boolean;
const polls: SettingsPoll[] = [];

/** A process of the service. */
async function newProcess(env: Record<string, string> = {}) {
  const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', ...env });
  const poll = new SettingsPoll(
    {
      all: async () => {
        if (isLost) throw new Error('no database');
        return new Map(row ? [['chat', row]] : []);
      },
    },
    { warn: () => undefined },
  );
  polls.push(poll);
  const settings = {
    store: async (_: string, setting: ModelSetting) => void (row = setting),
    remove: async () => void (row = null),
  };
  const connections = new ModelConnections(settings, new Secrets(config), poll, config);
  const setting = new ChatSetting(connections, poll, config, new Metrics('test'));
  await setting.onModuleInit();
  return {
    setting,
    read: () => poll.read(),
    choose: (choice: ModelConnection) => connections.store('chat', choice),
    remove: () => connections.remove('chat'),
  };
}

afterEach(() => {
  for (const poll of polls.splice(0)) poll.beforeApplicationShutdown();
});
beforeEach(() => {
  row = null;
  isLost = false;
});

describe('ChatSetting', () => {
  it('is followed by other processes, which keep what they have without the database', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    await one.choose(CHOICE);
    expect(other.setting.current).toBeNull();
    await other.read();
    expect(other.setting.current).toMatchObject({ ...CHOICE, hasKey: true, problem: null });
    const { opened } = other.setting.current ?? {};
    await other.read();
    expect(other.setting.current?.opened).toBe(opened);
    isLost = true;
    await other.read();
    expect(other.setting.current?.opened).toBe(opened);
    isLost = false;
    await one.remove();
    await other.read();
    expect(other.setting.current).toBeNull();
  });

  it('stores no key in clear', async () => {
    await (await newProcess()).choose(CHOICE);
    expect(JSON.stringify(row)).not.toContain('sk-123');
    expect(row).toMatchObject({ name: 'openai:m', baseUrl: CHOICE.baseUrl });
  });

  it.each([
    ['another secret', { CITEWELL_SECRET: 'another-secret-of-it' }, {}],
    ['an address that was changed in the database', {}, { baseUrl: 'https://b.example/v1' }],
    ['a provider that was changed in the database', {}, { name: 'mistralai:m' }],
  ])('fails, and tells why, with %s', async (_, env, changed) => {
    await (await newProcess()).choose(CHOICE);
    row = { ...row!, ...changed };
    const { setting } = await newProcess(env);
    expect(setting.current).toMatchObject({
      hasKey: true,
      apiKey: null,
      problem: expect.stringContaining('decrypted'),
    });
    const answer = setting.current?.opened.stream({ messages: [] }, { signal: new AbortController().signal });
    await expect(answer?.[Symbol.asyncIterator]().next()).rejects.toThrow(/Enter the key again/);
  });

  it('tells why requests to the chosen model fail, until another one is chosen', async () => {
    const { setting, choose } = await newProcess({ MODEL_NETWORKS: 'none' });
    // The guard refuses the connection.
    await choose({ ...CHOICE, baseUrl: 'http://127.0.0.1:1/v1' });
    expect(setting.problem).toBeNull();
    const answer = setting.current?.opened.stream(
      { messages: [{ role: 'user', content: 'why?' }] },
      { signal: new AbortController().signal },
    );
    await expect(answer?.[Symbol.asyncIterator]().next()).rejects.toThrow();
    expect(setting.problem).toEqual(expect.any(String));
    expect(setting.problem).not.toContain('sk-123');
    await choose({ ...CHOICE, model: 'other' });
    expect(setting.problem).toBeNull();
  });

  it('accepts a model of Azure with the address of its resource', async () => {
    const { setting, choose } = await newProcess();
    const azure = { ...CHOICE, provider: 'azure', model: 'my-deployment' };
    await choose({ ...azure, baseUrl: 'https://r.openai.azure.com' });
    expect(setting.current).toMatchObject({ provider: 'azure', model: 'my-deployment', problem: null });
    await choose({ ...azure, baseUrl: null });
    expect(setting.problem).toMatch(/the address in the settings/);
  });

  it('tells that it does not know the provider of another release', async () => {
    const { setting, choose } = await newProcess();
    await choose({ ...CHOICE, provider: 'new-provider' });
    expect(setting.problem).toBe('There are no chat models of the provider new-provider.');
  });
});
