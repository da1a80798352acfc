import { loadConfig } from '@citewell/config';
import { ModelConnections, Secrets } from '@citewell/infrastructure';
import { expect, it } from '@jest/globals';
import { ModelSettingsService } from './model-settings.service.js';

const TENANT = { organizationId: 'o' } as never;

it.each(['http://169.254.169.254/x', 'http://127.0.0.1:8000/x'])(
  'refuses a model at an address that is not permitted: %s',
  async (url) => {
    const chosen: string[] = [];
    const config = loadConfig({ CITEWELL_SECRET: 'a-secret-of-the-operator', MODEL_NETWORKS: 'none' });
    const connections = new ModelConnections({} as never, new Secrets(config), {} as never, config);
    const service = new ModelSettingsService(
      {
        chat: { connections },
        embedding: { models: { choose: async (name: string) => void chosen.push(name) } },
      } as never,
      {} as never,
      {} as never,
      { first: async () => ({ id: 'o' }) } as never,
    );
    const answer = service.chooseLocalEmbedding(TENANT, { name: `local:${url}` });
    await expect(answer).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('MODEL_NETWORKS'),
    });
    expect(chosen).toEqual([]);
  },
);
