import { expect, it } from '@jest/globals';
import { EmbeddingSettingsService } from './embedding-settings.service.js';

const TENANT = { organizationId: 'o' } as never;

it.each(['http://169.254.169.254/x', 'http://127.0.0.1:8000/x'])(
  'refuses a model at an address that is not permitted: %s',
  async (url) => {
    const chosen: string[] = [];
    const service = new EmbeddingSettingsService(
      { chosenBy: 'setting', choose: async (name: string) => void chosen.push(name) } as never,
      {} as never,
      { first: async () => ({ id: 'o' }) } as never,
      {} as never,
      { MODEL_NETWORKS: [] } as never,
    );
    await expect(service.choose(TENANT, { name: `local:${url}` })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('MODEL_NETWORKS'),
    });
    expect(chosen).toEqual([]);
  },
);
