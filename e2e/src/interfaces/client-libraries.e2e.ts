import { beforeAll, describe } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import { mcp } from './client-libraries/mcp.suite.js';
import { openai } from './client-libraries/openai.suite.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';

describe('the client library of', () => {
  const fixture = modelFixture(startEmbedded, {
    CHAT_MODEL: 'test-chat',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
    CRAWL_DELAY_MS: '0',
    MAX_CONCURRENT_ANSWERS: '1',
  });
  describe('OpenAI', () => openai(fixture));
  describe('MCP', () => {
    let tenant: Tenant;
    beforeAll(async () => {
      tenant = await Tenant.create(fixture().deployment);
    });
    mcp(() => ({ ...fixture(), tenant }));
  });
});
