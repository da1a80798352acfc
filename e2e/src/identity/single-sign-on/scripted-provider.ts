import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const CLIENT_ID = 'citewell';
export const CLIENT_SECRET = 'a secret of the scripted provider';

/** What the next answers of the provider differ in. */
export interface Script {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs with a key that the provider does not publish, or not at all. */
  signature?: 'wrong' | 'none';
  metadata?: Record<string, unknown>;
  /** In place of the published keys. */
  keys?: unknown;
  token?: Record<string, unknown>;
  userInfo?: Record<string, unknown>;
  /** Answers every request with this status. */
  status?: number;
  /** Answers requests to the token endpoint with this error. */
  tokenError?: string;
}

/** A provider of OpenID Connect that answers as a test wants. It accepts every code, and asks nobody. */
export class ScriptedProvider {
  script: Script = {};
  /** Bodies of the requests to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];
  nonce = '';
  email = '';
  private readonly keys = [pair(), pair()] as const;
  private readonly server: Server;
  issuer = '';

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    await new Promise<void>((listening) => provider.server.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    provider.issuer = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
    return provider;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.script.status !== undefined) return void response.writeHead(this.script.status).end('{}');
    const { pathname } = new URL(request.url ?? '', this.issuer);
    const json = (value: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname.endsWith('/.well-known/openid-configuration')) return json(this.metadata());
    if (pathname === '/jwks')
      return json({
        keys: this.script.keys === undefined ? [jwkOf(this.keys[0].publicKey)] : this.script.keys,
      });
    if (pathname === '/userinfo') return json({ sub: 'subject', ...this.script.userInfo });
    this.tokenRequests.push(new URLSearchParams(body));
    if (this.script.tokenError !== undefined) return json({ error: this.script.tokenError }, 400);
    json({
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: this.idToken(),
      ...this.script.token,
    });
  }

  private metadata(): Record<string, unknown> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.script.metadata,
    };
  }

  private idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: CLIENT_ID,
      sub: 'subject',
      email: this.email,
      email_verified: true,
      name: 'Grace',
      nonce: this.nonce,
      iat: now,
      exp: now + 300,
      ...this.script.claims,
    };
    const signed = `${part({ alg: 'RS256', kid: 'key', ...this.script.header })}.${part(claims)}`;
    if (this.script.signature === 'none') return `${signed}.`;
    const { privateKey } = this.keys[this.script.signature === 'wrong' ? 1 : 0];
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }
}

function pair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function jwkOf(key: KeyObject): Record<string, unknown> {
  return { ...key.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' };
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
