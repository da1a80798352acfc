import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const DIMENSIONS = 384;
/** A request takes a constant time and a time for each input: 60 inputs/s one by one, 400 in requests of 64. */
const REQUEST_MS = 14.4;
const INPUT_MS = 2.275;

/** Random vectors in JSON, so that the server takes little CPU time from the product. */
const VECTORS = Array.from({ length: 64 }, () =>
  JSON.stringify(Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5)),
);

interface EmbeddingRequest {
  readonly input: string | readonly string[];
}

/**
 * An embedding server in OpenAI's shape that processes one request at a time at a fixed speed, and answers random vectors.
 */
export class StubEmbedder {
  /** Inputs and requests so far. */
  inputs = 0;
  requests = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly server = createServer((request, response) => {
    const answer = this.last.then(async () => {
      const { input } = (await json(request)) as EmbeddingRequest;
      const texts = typeof input === 'string' ? [input] : input;
      await sleep(REQUEST_MS + texts.length * INPUT_MS);
      this.inputs += texts.length;
      this.requests += 1;
      const data = texts.map(
        (_, index) =>
          `{"object":"embedding","index":${index},"embedding":${VECTORS[index % VECTORS.length]}}`,
      );
      response.setHeader('content-type', 'application/json');
      response.end(`{"object":"list","data":[${data.join()}],"usage":{"prompt_tokens":0,"total_tokens":0}}`);
    });
    this.last = answer.catch(() => response.destroy());
  });

  /** @returns the variables with which the product uses the server */
  async start(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return {
      EMBEDDING_MODEL: 'stub',
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: 'none',
    };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
