import type { Config } from '@citewell/config';
import { type IdentityProviderEntity, OrganizationRepository } from '@citewell/database';
import { type AllowedNetworks, CONFIG, networksOf } from '@citewell/infrastructure';
import { guardedFetch } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { ownAddress, type Service } from '../../http/own-address.js';
import { SignInFailure } from './provider-errors.js';
import { ProviderSecrets } from './provider-secrets.js';

/** Discovery documents, key sets and tokens are far smaller. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

const STATUSES_WITHOUT_BODY = new Set([101, 204, 205, 304]);

const REQUEST_TIMEOUT_SECONDS = 10;
/** How far the clock of a provider may differ from this one, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;
const CONFIGURATION_CACHE_MS = 5 * 60_000;
const MAX_CACHED_CONFIGURATIONS = 1_000;
/** A discovery document can be read before the application is registered. */
const UNREGISTERED = 'unregistered';
/** What is opened of a discovery document: OpenID Connect Discovery 1.0, section 3. */
const ENDPOINTS = {
  authorization_endpoint: 'required',
  token_endpoint: 'required',
  jwks_uri: 'required',
  userinfo_endpoint: 'optional',
  end_session_endpoint: 'optional',
} as const;

type Library = typeof import('openid-client');

/** What a configuration depends on. */
type Settings = Pick<
  IdentityProviderEntity,
  'id' | 'organizationId' | 'issuer' | 'clientId' | 'sealedClientSecret'
>;

interface Cached {
  of: string;
  configuration: Promise<Configuration>;
  expiresAt: number;
}

/** Finds the endpoints of providers. All requests go to the Internet, or to networks that the operator allows. */
@Injectable()
export class ProviderClient {
  private readonly cache = new Map<string, Cached>();
  private readonly fetches = new Map<readonly string[], ReturnType<typeof guardedFetch>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(ProviderSecrets) private readonly secrets: ProviderSecrets,
  ) {}

  /** The library of the protocol, loaded at the first use. */
  get library(): Promise<Library> {
    return import('openid-client');
  }

  /** The private networks that the providers of an organization may be in, and the variable that allows them. */
  networksFor(organizationId: string): Promise<AllowedNetworks> {
    return networksOf(organizationId, this.organizations, this.config);
  }

  /**
   * The endpoints of a provider, found in the last minutes.
   *
   * @param options.isFresh finds them now, and so whether the provider is there
   * @throws the errors of the library
   */
  async configurationOf(provider: Settings, { isFresh = false } = {}): Promise<Configuration> {
    const { id, issuer, clientId, sealedClientSecret } = provider;
    const of = JSON.stringify([issuer, clientId, sealedClientSecret]);
    const cached = this.cache.get(id);
    if (!isFresh && cached?.of === of && cached.expiresAt > Date.now()) return cached.configuration;
    if (this.cache.size >= MAX_CACHED_CONFIGURATIONS) this.cache.clear();
    const configuration = this.discover(provider);
    this.cache.set(id, { of, configuration, expiresAt: Date.now() + CONFIGURATION_CACHE_MS });
    // A failure is not remembered.
    configuration.catch(() => this.cache.delete(id));
    return configuration;
  }

  /** Reads the discovery document. @throws the errors of the library; {@link SignInFailure} for an unusable endpoint */
  async discover(provider: Settings): Promise<Configuration> {
    const { organizationId, clientId, sealedClientSecret } = provider;
    const { networks } = await this.networksFor(organizationId);
    const oidc = await this.library;
    const secret =
      sealedClientSecret === null ? null : await this.secrets.openClientSecret(provider, sealedClientSecret);
    const issuer = new URL(provider.issuer);
    const configuration = await oidc.discovery(
      issuer,
      clientId ?? UNREGISTERED,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      secret === null ? oidc.None() : withSecret(oidc, secret),
      {
        timeout: REQUEST_TIMEOUT_SECONDS,
        execute: [
          // The signature of an ID token is checked, although it comes over a connection to the provider.
          oidc.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
        [oidc.customFetch]: limitedFetch(this.fetchIn(networks)),
      },
    );
    assertUsable(configuration.serverMetadata());
    return configuration;
  }

  private fetchIn(networks: readonly string[]): ReturnType<typeof guardedFetch> {
    const fetcher = this.fetches.get(networks) ?? guardedFetch(networks);
    this.fetches.set(networks, fetcher);
    return fetcher;
  }
}

/** The library checks no more than the issuer. A browser is sent to an endpoint, and must not run a script there. */
function assertUsable(server: Readonly<Record<string, unknown>>): void {
  const { token_endpoint_auth_methods_supported: methods = [] } = server;
  const wrong = Object.entries(ENDPOINTS).find(([name, need]) => {
    const isMissing = server[name] === undefined || server[name] === null;
    return isMissing ? need === 'required' : !isWebAddress(server[name]);
  });
  if (wrong === undefined && Array.isArray(methods)) return;
  const name = wrong?.[0] ?? 'token_endpoint_auth_methods_supported';
  const cause = new Error(`The ${name} of the provider is missing or has another type`);
  throw new SignInFailure('invalid-response', { cause });
}

function isWebAddress(value: unknown): boolean {
  const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined;
  return protocol === 'https:' || protocol === 'http:';
}

/** Providers register `client_secret_basic` unless they are told another method: OpenID Connect Discovery 1.0, section 3. */
function withSecret({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** Limits the size of the responses of providers, which are read as a whole. */
function limitedFetch(fetcher: (typeof globalThis)['fetch']): CustomFetch {
  return async (url, { body, ...options }) => {
    const response = await fetcher(url, { ...options, ...(body === undefined ? {} : { body }) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // A body of undici is an async iterable, which the type of browsers does not say.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES)
        throw new TypeError('The response of the identity provider is too large');
      chunks.push(chunk);
    }
    const { status, headers } = response;
    return new Response(STATUSES_WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), {
      status,
      headers: [...headers],
    });
  };
}

/**
 * Where a provider sends browsers back. It is registered at the provider, which compares it letter by letter.
 *
 * @throws ApiError `FORBIDDEN` for a browser that opens the service under an unknown name
 */
export function redirectUriOf(providerId: string, request: FastifyRequest, service: Service): string {
  return `${ownAddress(request, service)}/api/session/oidc/${encodeURIComponent(providerId)}/callback`;
}
