import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawModelServer, type RawReply, startRawModelServer } from '@citewell/testing';
import type { CreateAgent } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { report } from '../report.js';

const BURSTS = 200;
const CONCURRENT = 4;
/** The sizes at which the buffers between a provider and a reader are full when the connection ends differ. */
const BURST: RawReply = { delivery: 'burst', bytes: 200_000, maxBytes: 400_000 };
const WATCH_MS = 100;
const UNREAD_MS = 100;

/** The models by the names that agents have, and the variables that configure them. */
const CHAT_MODELS: [
  provider: string,
  modelName: CreateAgent['modelName'] | null,
  variable: string,
  model: string,
][] = [
  ['openai', 'gpt_3_5_turbo', 'MODEL_GPT_3_5_TURBO', 'm'],
  ['anthropic', 'gpt_3_5_turbo_16k', 'MODEL_GPT_3_5_TURBO_16K', 'anthropic:m'],
  ['google-genai', 'gpt_4', 'MODEL_GPT_4', 'google-genai:m'],
  ['mistralai', 'gpt_4_32k', 'MODEL_GPT_4_32K', 'mistralai:m'],
  ['ollama', null, 'CHAT_MODEL', 'ollama:m'],
];

describe('answers of model providers in bursts', () => {
  let model: RawModelServer;
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;

  beforeAll(async () => {
    model = await startRawModelServer();
    deployment = await startEmbedded({
      ...Object.fromEntries(CHAT_MODELS.map(([, , variable, name]) => [variable, name])),
      OPENAI_BASE_URL: model.urlOf('openai', BURST),
      ANTHROPIC_BASE_URL: model.urlOf('anthropic', BURST),
      GOOGLE_BASE_URL: model.urlOf('google-genai', BURST),
      MISTRAL_BASE_URL: model.urlOf('mistralai', BURST),
      OLLAMA_BASE_URL: model.urlOf('ollama', BURST),
      RERANK_BASE_URL: model.urlOf('openai', BURST),
      ...Object.fromEntries(
        ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'MISTRAL', 'RERANK'].map((name) => [`${name}_API_KEY`, 'scripted']),
      ),
      EMBEDDING_MODEL: 'e',
      RERANK_MODEL: 'r',
      RATE_LIMIT_PER_MINUTE: '0',
    });
    tenant = await Tenant.create(deployment);
    datastoreId = (await tenant.datastore()).id;
    await tenant.text(datastoreId, 'The keel was laid in March. The mast was stepped in June.');
  });
  afterAll(async () => {
    await deployment.stop();
    await model.close();
  });

  /** Sends a question and reads only the beginning of its answer. */
  async function askWithoutReading(agentId: string): Promise<void> {
    const { port, hostname, pathname } = new URL(`${deployment.baseUrl}/agents/${agentId}/query`);
    const body = JSON.stringify({ query: 'Hello?', streaming: true });
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${tenant.api.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'readable', { signal: AbortSignal.timeout(30_000) });
    await sleep(UNREAD_MS);
    socket.destroy();
  }

  /** Makes requests, and other requests meanwhile, which all have to be answered. */
  async function burst(name: string, request: (index: number) => Promise<unknown>): Promise<void> {
    const before = model.requests();
    const times: number[] = [];
    let isDone = false;
    const others = async (): Promise<void> => {
      while (!isDone) {
        const startedAt = performance.now();
        (await tenant.api.get('/agents')).assertOk();
        times.push(performance.now() - startedAt);
        await sleep(WATCH_MS);
      }
    };
    const requests = async (): Promise<void> => {
      for (let index = 0; index < BURSTS; index += CONCURRENT)
        await Promise.all(Array.from({ length: CONCURRENT }, (_, at) => request(index + at)));
      isDone = true;
    };
    await Promise.all([others(), requests()]);
    const answered = model.requests() - before;
    const sorted = times.toSorted((a, b) => a - b);
    report(
      `${name}: ${answered} bursts, ${times.length} other requests answered, median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`,
    );
    expect(answered).toBeGreaterThanOrEqual(BURSTS);
    expect(deployment.processes.standalone?.isRunning).toBe(true);
    expect(deployment.processes.standalone?.output).not.toMatch(/"level":"fatal"|AssertionError/);
  }

  it.each(CHAT_MODELS)('of %s do not end the process', async (provider, modelName) => {
    const { id: agentId } = await tenant.agent(modelName ? { modelName } : {});
    await burst(provider, async (index) => {
      if (index % 2 === 0) return askWithoutReading(agentId);
      const query = { query: 'Hello?', streaming: index % 4 === 1 };
      const answer = await tenant.api.post(`/agents/${agentId}/query`, query);
      answer.assertOk();
      expect(answer.text.length).toBeGreaterThan(100_000);
    });
  });

  it('of embedding and rerank models do not end the process', async () => {
    await burst('embedding and rerank', async () => {
      expect((await tenant.search(datastoreId, 'When was the keel laid?'))[0]?.text).toContain('keel');
    });
  });
});
