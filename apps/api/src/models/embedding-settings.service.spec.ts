import { expect, it } from '@jest/globals';
import { EmbeddingSettingsService, secondsLeft } from './embedding-settings.service.js';

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

const since = { space: 's', at: 1_000, charactersDone: 100 };

it.each([
  ['at the measured speed', { charactersDone: 300, now: 11_000, estimate: 1 }, 35],
  [
    'at the estimated speed while nothing is embedded',
    { charactersDone: 100, now: 99_000, estimate: 90 },
    10,
  ],
  ['at the estimated speed in the first seconds', { charactersDone: 200, now: 2_000, estimate: 100 }, 8],
  ['of an unknown model', { charactersDone: 100, now: 99_000, estimate: null }, null],
])('the rest %s', (_, { charactersDone, now, estimate }, seconds) => {
  expect(secondsLeft({ characters: 1_000, charactersDone }, since, now, estimate)).toBe(seconds);
});
