import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { loadClientConfig } from '@citewell/config';
import { type Fetch, remoteFetch } from '@citewell/web/remote-fetch';
import { defineCommand } from '../define-command.js';
import type { Output } from '../terminal/output.js';

const USAGE = 'citewell mcp';
const HELP = `Connects a program that speaks the Model Context Protocol (MCP) on standard input and output to the service. Such programs
start this command themselves: see docs/mcp.md. Programs that speak MCP over HTTP can use the address /mcp of the service
directly.`;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: {}, positionals: { maximum: 0 } },
  async () => {
    const { CITEWELL_URL, CITEWELL_API_KEY } = loadClientConfig();
    await proxyMessages(process.stdin, process.stdout, {
      url: mcpUrl(CITEWELL_URL),
      apiKey: CITEWELL_API_KEY,
      fetch: remoteFetch,
    });
    return 0;
  },
);

/** `/mcp` is beside `/api`, also below a path of a reverse proxy. */
function mcpUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/(?:api\/?)?$/, '')}/mcp`;
  return url.href;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { requestId?: string | number };
}

interface Service {
  /** The address of MCP over HTTP. */
  url: string;
  apiKey: string;
  fetch: Fetch;
}

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/**
 * Sends JSON-RPC messages, one per line, to MCP over HTTP, and writes the responses, one per line. The service needs no
 * session and answers each request with JSON, so a line is a request and the other way round. Resolves when the input
 * has ended; requests in progress are then aborted.
 */
export async function proxyMessages(input: Readable, output: Output, service: Service): Promise<void> {
  const proxy = new MessageProxy(output, service);
  for await (const line of createInterface({ input })) if (line.trim() !== '') void proxy.send(line);
  proxy.abortAll();
}

class MessageProxy {
  private readonly inProgress = new Map<string | number, AbortController>();
  private protocolVersion: string | undefined;

  constructor(
    private readonly output: Output,
    private readonly service: Service,
  ) {}

  abortAll(): void {
    for (const request of this.inProgress.values()) request.abort();
  }

  /** Never rejects: the client receives every failure as a message. */
  async send(line: string): Promise<void> {
    const message = parse(line);
    if (!message) return this.fail(null, PARSE_ERROR, 'The line is not JSON.');
    const { id = null, method, params } = message;
    // The service does not know which request is meant, but notices that its connection is closed.
    if (method === 'notifications/cancelled') return this.inProgress.get(params?.requestId ?? '')?.abort();
    const request = new AbortController();
    if (id !== null) this.inProgress.set(id, request);
    try {
      const response = await this.post(line, request.signal);
      if (response !== '') this.write(response);
    } catch (error) {
      if (!request.signal.aborted && id !== null) this.fail(id, SERVER_ERROR, messageOf(error, this.service));
    } finally {
      if (id !== null) this.inProgress.delete(id);
    }
  }

  /** @returns the response in one line; empty for a notification */
  private async post(body: string, signal: AbortSignal): Promise<string> {
    const response = await this.service.fetch(this.service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.service.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.protocolVersion === undefined ? {} : { 'mcp-protocol-version': this.protocolVersion }),
      },
      body,
      signal,
    });
    const text = await response.text();
    if (response.status === 202) return '';
    if (response.status === 401) throw new Error('The service rejected the API key. Check CITEWELL_API_KEY.');
    // Any JSON has fields that are unknown until they are compared.
    const json = JSON.parse(text) as {
      jsonrpc?: string;
      message?: string;
      result?: { protocolVersion?: string };
    };
    if (json.jsonrpc === undefined) throw new Error(json.message ?? `HTTP ${response.status}`);
    this.protocolVersion ??= json.result?.protocolVersion;
    return JSON.stringify(json);
  }

  private fail(id: string | number | null, code: number, message: string): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  private write(line: string): void {
    this.output.write(`${line}\n`);
  }
}

function parse(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    // A message of JSON-RPC is an object. The fields of another one are absent.
    return typeof message === 'object' ? (message as Message | null) : null;
  } catch {
    return null;
  }
}

/** `fetch` throws a TypeError when there is no response, and `JSON.parse` a SyntaxError when it is not of the service. */
function messageOf(error: unknown, { url }: Service): string {
  if (error instanceof TypeError)
    return `${url} could not be reached. Check that the service is running and that CITEWELL_URL is its address.`;
  if (error instanceof SyntaxError)
    return `${url} did not answer with JSON. Check that CITEWELL_URL is the address of a Citewell service.`;
  return error instanceof Error ? error.message : String(error);
}
