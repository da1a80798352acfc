import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'citewell', secret: 'a secret of the real provider' };

export interface Account {
  name: string;
  email: string;
  groups: readonly string[];
}

/** A provider of OpenID Connect with accounts, at which people sign in by their name alone. */
export class RealProvider {
  /** By subject. An account that is removed has no claims and no tokens. */
  readonly accounts = new Map<string, Account>();
  issuer = '';
  private provider: Provider | undefined;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  /** Has an address, and no client yet. */
  static async listen(): Promise<RealProvider> {
    const real = new RealProvider();
    await new Promise<void>((listening) => real.server.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    real.issuer = `http://127.0.0.1:${(real.server.address() as AddressInfo).port}`;
    return real;
  }

  /** Registers the service as a client. */
  register(redirectUri: string): void {
    const claimsOf = (subject: string): Record<string, unknown> => {
      const { name, email, groups } = this.accounts.get(subject) ?? { groups: [] };
      return { sub: subject, name, email, email_verified: true, groups };
    };
    this.provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          // The address that people open.
          post_logout_redirect_uris: [`${redirectUri.split('/api/', 1)[0]}/`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      findAccount: (_: unknown, subject: string) =>
        this.accounts.has(subject) ? { accountId: subject, claims: () => claimsOf(subject) } : undefined,
      scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      cookies: { keys: [randomUUID()] },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut },
      },
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider } = this;
    if (!provider) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'consent') {
      const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CLIENT.id });
      grant.addOIDCScope(params['scope'] ?? '');
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    }
    if (request.method === 'POST') {
      const accountId = new URLSearchParams(await text(request)).get('subject') ?? '';
      return provider.interactionFinished(request, response, { login: { accountId } });
    }
    response.setHeader('content-type', 'text/html').end(
      `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
       <main><h1>Provider</h1><form method="post"><label>Subject <input name="subject"></label>
       <button>Continue</button></form></main>`,
    );
  }
}

/** In place of a page that loads fonts of another site. @param form of the library, without buttons */
function askToSignOut(context: { body: string }, form: string): void {
  context.body = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">${form}
    <button form="op.logoutForm" name="logout" value="yes">Yes</button></html>`;
}
