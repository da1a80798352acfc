import { chatSettingsSchema, embeddingSettingsSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

describe('models of the environment', () => {
  let deployment: Deployment;
  let api: ApiClient;
  beforeAll(async () => {
    deployment = await startEmbedded({ CHAT_MODEL: 'ollama:llama3', EMBEDDING_MODEL: 'none' });
    api = new ApiClient(deployment.baseUrl, deployment.apiKey);
  });
  afterAll(() => deployment.stop());

  it('of answers cannot be chosen otherwise', async () => {
    const shown = (await api.get('/models/chat')).as(chatSettingsSchema.strict());
    expect(shown).toMatchObject({ provider: 'ollama', model: 'llama3', chosenBy: 'environment' });
    (await api.put('/models/chat', { provider: 'ollama', model: 'm' })).assertError('CONFLICT');
    (await api.delete('/models/chat')).assertError('CONFLICT');
  });

  it('of meaning cannot be chosen otherwise', async () => {
    const shown = (await api.get('/models/embedding')).as(embeddingSettingsSchema.strict());
    expect(shown).toMatchObject({ name: 'none', chosenBy: 'environment' });
    (await api.put('/models/embedding', { name: 'builtin' })).assertError('CONFLICT');
  });

  it('cannot be replaced by those of an organization at first', async () => {
    const body = { provider: 'openai', model: 'm', apiKey: 'sk-of-an-organization' };
    for (const response of [
      await api.get('/models/chat/own'),
      await api.put('/models/chat/own', body),
      await api.post('/models/chat/own/test', body),
    ]) {
      expect(response.assertError('FORBIDDEN').message).toContain('ORGANIZATION_MODELS');
    }
    (await api.delete('/models/chat/own')).assertOk();
  });
});
