import { expect, it } from '@jest/globals';
import { azureAddress } from './langchain-chat.js';

it.each([
  ['https://r.openai.azure.com', 'https://r.openai.azure.com/openai/deployments/my%20gpt', '2024-10-21'],
  ['https://r.openai.azure.com/', 'https://r.openai.azure.com/openai/deployments/my%20gpt', '2024-10-21'],
  [
    'https://r.openai.azure.com/openai',
    'https://r.openai.azure.com/openai/deployments/my%20gpt',
    '2024-10-21',
  ],
  ['https://proxy.example/azure', 'https://proxy.example/azure/openai/deployments/my%20gpt', '2024-10-21'],
  [
    'https://r.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2025-01-01-preview',
    'https://r.openai.azure.com/openai/deployments/gpt',
    '2025-01-01-preview',
  ],
  ['https://r.openai.azure.com/openai/v1/', 'https://r.openai.azure.com/openai/v1', undefined],
  ['https://r.services.ai.azure.com/models', 'https://r.services.ai.azure.com/models', '2024-10-21'],
])('the address %s', (endpoint, baseUrl, version) => {
  expect(azureAddress(endpoint, 'my gpt')).toEqual({
    baseUrl,
    query: version ? { 'api-version': version } : {},
  });
  expect(azureAddress(endpoint, 'my gpt', '2030-01-01').query).toEqual({ 'api-version': '2030-01-01' });
});
