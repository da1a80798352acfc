import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Citewell } from './citewell.js';
import { collect } from './collect.fixtures.js';
import type { CitewellOptions } from './http/transport.js';

/** A received request with its complete body. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Answers one request. */
export type Step = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** A server that answers each request with the next step, and all further requests with the last step. */
export class ScriptedServer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(private readonly steps: readonly Step[]) {}

  static async start(...steps: Step[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(steps);
    await new Promise<void>((resolve) => scripted.server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The server is not listening.');
    return `http://127.0.0.1:${address.port}/api`;
  }

  client(options: Partial<CitewellOptions> = {}): Citewell {
    return new Citewell({ baseUrl: this.url, apiKey: 'cw_test', ...options });
  }

  /** The last request. */
  get last(): ReceivedRequest {
    const request = this.requests.at(-1);
    if (!request) throw new Error('The server received no request.');
    return request;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const step = this.steps[Math.min(this.requests.length, this.steps.length - 1)];
    const received: ReceivedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.alloc(0),
    };
    this.requests.push(received);
    received.body = Buffer.concat(await collect(incoming));
    await step?.(response, received);
  }
}

/** A step that answers with JSON. */
export function json(value: unknown, { status = 200, headers = {} }: StepOptions = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
}

/** A step that answers with an API error. */
export function failure(status: number, code: string, headers: Record<string, string> = {}): Step {
  return json({ error: code, message: `It is ${code}.`, requestId: 'r-1' }, { status, headers });
}

/** A step that answers with an event stream, written in the given chunks. */
export function stream(...chunks: (string | Uint8Array)[]): Step {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };
}

/** A step that closes the connection without a response. */
export const hangUp: Step = (response) => {
  response.destroy();
};

interface StepOptions {
  status?: number;
  headers?: Record<string, string>;
}
