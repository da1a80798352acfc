// The main job, streams, archives and models in the images of `infra/docker/test-images.sh`, on the scaled deployment.
import { it } from '@jest/globals';

if (process.env['TEST_IMAGE_ROOTS'] === undefined) {
  it.skip('images: run infra/docker/test-images.sh', () => undefined);
} else {
  process.env['TEST_DEPLOYMENT'] = 'scaled';
  await import('./images/images.suite.js');
  await import('../specification/specification.e2e.js');
  await import('../answering/answers.e2e.js');
  await import('./archives.e2e.js');
}
