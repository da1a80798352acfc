// Sends one request to each of some addresses, and prints each outcome as a line of JSON. A process of its own, because
// the tests check that no answer of a server ends it. Refuses every use of Node's own `fetch`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChatModel } from './chat.model.js';
import { createHttpRerankModel } from './http-rerank.model.js';
import { downloadModel } from './local/download-model.js';
import { createEmbeddingModel } from './openai-embedding.model.js';
import type { RemoteCall, RemoteOutcome } from './remote-answers.fixtures.js';

const { client, baseUrls, isUnread } = JSON.parse(process.argv[2] ?? '{}') as RemoteCall;
const signal = new AbortController().signal;
globalThis.fetch = () => Promise.reject(new Error('The global fetch was called.'));

/** @returns the number of characters, vectors, scores or files of the answer */
async function ask(baseUrl: string): Promise<number> {
  switch (client) {
    case 'embedding': {
      const model = await createEmbeddingModel({ baseUrl, model: 'test', dimensions: 64 });
      return (await model.embed(['one', 'two'], { signal, kind: 'query' })).length;
    }
    case 'rerank':
    case 'rerank-tei': {
      const model = createHttpRerankModel({ baseUrl, model: client === 'rerank' ? 'test' : 'tei' });
      return (await model.rerank('one', ['one', 'two'], { signal })).length;
    }
    case 'hub': {
      const directory = await mkdtemp(join(tmpdir(), 'citewell-hub-'));
      try {
        const source = { kind: 'hub', id: 'me/small' } as const;
        await downloadModel({ source, directory, hub: baseUrl, onProgress: () => undefined });
        return 1;
      } finally {
        await rm(directory, { recursive: true });
      }
    }
    case 'openai':
    case 'azure':
    case 'anthropic':
    case 'google-genai':
    case 'mistralai':
    case 'ollama': {
      const model = createChatModel({ provider: client, baseUrl, apiKey: 'key', model: 'test-chat' });
      let length = 0;
      for await (const event of model.stream({ messages: [{ role: 'user', content: 'hi' }] }, { signal })) {
        length += 'text' in event ? event.text.length : 0;
        if (!isUnread) continue;
        await sleep(100);
        return -1;
      }
      return length;
    }
  }
}

for (const baseUrl of baseUrls) {
  const outcome: RemoteOutcome = await ask(baseUrl).then(
    (length) => ({ length }),
    (error: Error & { kind?: string }) => ({ failed: `${error.kind ?? error.name}: ${error.message}` }),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
process.stdout.write(`${JSON.stringify({ peakBytes: process.resourceUsage().maxRSS * 1024 })}\n`);
process.exit(0);
