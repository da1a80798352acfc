import { type SitePreviewRepository, TenantScope } from '@citewell/database';
import { expect, it } from '@jest/globals';
import { SitePreviewsService } from './site-previews.service.js';

const PREVIEW = { pages: [], isComplete: true, error: null };

it('SitePreviewsService lets an organization have two previews in progress', async () => {
  const result = Promise.withResolvers<typeof PREVIEW>();
  const repository = {
    request: async () => 'id',
    result: () => result.promise,
    remove: async () => undefined,
  };
  // Only these methods are used.
  const service = new SitePreviewsService(repository as unknown as SitePreviewRepository);
  const [one, other] = [new TenantScope('one'), new TenantScope('other')];
  const running = [service.preview(one, {}), service.preview(one, {}), service.preview(other, {})];
  await expect(service.preview(one, {})).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  result.resolve(PREVIEW);
  expect(await Promise.all(running)).toEqual([PREVIEW, PREVIEW, PREVIEW]);
  expect(await service.preview(one, {})).toEqual(PREVIEW);
});
