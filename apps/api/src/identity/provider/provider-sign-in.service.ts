import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  describeKey,
  generateKey,
  type IdentityProviderEntity,
  IdentityProviderRepository,
  IdentityRepository,
  type PersonEntity,
  type ProviderClaims,
  ProviderSessionRepository,
  SessionRepository,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Configuration, TokenEndpointResponse } from 'openid-client';
import { ApiError, found, unwrap } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import type { Service } from '../../http/own-address.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { cookieNameOf, onlyCookie, setCookie } from '../../http/session-cookie.js';
import { CLOCK_TOLERANCE_SECONDS, ProviderClient } from './provider-client.service.js';
import { type Claims, needsUserInfo, readClaims } from './provider-claims.js';
import { SignInFailure, toSignInFailure } from './provider-errors.js';
import { ProviderSecrets } from './provider-secrets.js';

/** Time that a person has for signing in at the provider. */
const SIGN_IN_TIMEOUT_SECONDS = 600;

const COOKIE_NAME_CHARACTERS = 12;

/** Each sign-in takes three requests, and the people of an office share one address. */
const SIGN_IN_REQUESTS_PER_MINUTE = 600;

/** A session that began at a provider ends after this time, also if the provider says nothing. */
const SESSION_LIFETIME_MS = 12 * 60 * 60_000;
/** Time between two questions to the provider whether a person is still there. */
export const CHECK_SECONDS = 5 * 60;
const MAX_USER_AGENT_LENGTH = 255;

/** The token response of a sign-in. */
type Tokens = TokenEndpointResponse & { claims(): Claims | undefined };

export interface StartedSignIn {
  /** Where the browser goes. */
  url: URL;
  state: string;
  /** Value of the cookie that binds the sign-in to the browser. */
  browser: string;
}

export interface FinishedSignIn {
  token: string;
  maxAgeSeconds: number;
  returnPath: string;
}

/** Signs people in at the providers of their organizations: OpenID Connect Core 1.0, with PKCE (RFC 7636). */
@Injectable()
export class ProviderSignInService {
  constructor(
    @Inject(IdentityProviderRepository) private readonly providers: IdentityProviderRepository,
    @Inject(IdentityRepository) private readonly identities: IdentityRepository,
    @Inject(ProviderSessionRepository) private readonly signIns: ProviderSessionRepository,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(ProviderClient) private readonly client: ProviderClient,
    @Inject(ProviderSecrets) private readonly secrets: ProviderSecrets,
  ) {}

  /**
   * @param redirectUri of this provider alone: an answer of another one cannot be taken for an answer of this one (RFC 9700,
   * section 4.4.2.2)
   * @param sessionToken of the session that the browser has
   * @throws {@link SignInFailure}; ApiError `NOT_FOUND` for an unknown provider
   */
  async start(
    id: string,
    redirectUri: string,
    { returnPath, sessionToken }: { returnPath: string; sessionToken: string | null },
  ): Promise<StartedSignIn> {
    const provider = found(await this.providers.usable(id), 'identity provider');
    // A browser that is sent to a provider that is down would not come back.
    const configuration = await this.try(() => this.client.configurationOf(provider, { isFresh: true }));
    const oidc = await this.client.library;
    const [state, nonce, codeVerifier] = [
      oidc.randomState(),
      oidc.randomNonce(),
      oidc.randomPKCECodeVerifier(),
    ];
    const browser = randomBytes(32).toString('base64url');
    const { scopes } = provider;
    const parameters = {
      redirect_uri: redirectUri,
      scope: scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // OpenID Connect Core 1.0, section 11.
      ...(scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    };
    const url = await this.try(() => oidc.buildAuthorizationUrl(configuration, parameters));
    await this.signIns.begin({
      stateHash: hashOf(state),
      organizationId: provider.organizationId,
      providerId: provider.id,
      browserHash: hashOf(browser),
      nonce,
      codeVerifier,
      returnPath,
      previousSessionHash: sessionToken === null ? null : hashOf(sessionToken),
      expiresAt: new Date(Date.now() + SIGN_IN_TIMEOUT_SECONDS * 1_000),
    });
    return { url, state, browser };
  }

  /**
   * Begins a session with the answer of a provider.
   *
   * @param callback the redirect URI with the parameters of the answer
   * @throws {@link SignInFailure}
   */
  async finish(
    id: string,
    callback: URL,
    { browser, userAgent }: { browser: string | null; userAgent: string | undefined },
  ): Promise<FinishedSignIn> {
    const state = callback.searchParams.get('state') ?? '';
    const begun =
      browser && (await this.signIns.take(id, { stateHash: hashOf(state), browserHash: hashOf(browser) }));
    const provider = begun && (await this.providers.usable(id));
    if (!begun || !provider) throw new SignInFailure('expired');
    const configuration = await this.try(() => this.client.configurationOf(provider));
    const oidc = await this.client.library;
    const { nonce: expectedNonce, codeVerifier: pkceCodeVerifier, returnPath, previousSessionHash } = begun;
    const checks = { expectedState: state, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    const tokens = await this.try(() => oidc.authorizationCodeGrant(configuration, callback, checks));
    const claims = readClaims(await this.claimsOf(provider, configuration, tokens), provider);
    const person = await this.admit(provider, claims);
    if (previousSessionHash !== null) await this.sessions.remove(previousSessionHash);
    return { ...(await this.begin(provider, person, { tokens, userAgent })), returnPath };
  }

  /** Asks whether a person is still there, with the refresh token. @throws {@link SignInFailure} */
  async refresh(provider: IdentityProviderEntity, subject: string, refreshToken: string): Promise<Tokens> {
    const configuration = await this.try(() => this.client.configurationOf(provider));
    const oidc = await this.client.library;
    const tokens = await this.try(() => oidc.refreshTokenGrant(configuration, refreshToken));
    const claims = tokens.claims();
    if (claims === undefined) return tokens;
    if (claims['sub'] !== subject) throw new SignInFailure('invalid-response');
    const all = await this.claimsOf(provider, configuration, tokens);
    await this.admit(provider, readClaims(all, provider, 'unknown'), { onlyKnown: true });
    return tokens;
  }

  /** Ends what somebody has whom the provider does not know any more. */
  async withdraw(provider: IdentityProviderEntity, subject: string): Promise<void> {
    await this.identities.withdraw(provider, subject);
  }

  private async admit(
    provider: IdentityProviderEntity,
    claims: ProviderClaims,
    options: { onlyKnown?: boolean } = {},
  ): Promise<PersonEntity> {
    const admission = await this.identities.admit(provider, claims, options);
    if (admission.ok) return admission.value;
    if (admission.reason === 'not-invited') await this.signIns.endAll(provider.id, claims.subject);
    throw new SignInFailure(admission.reason);
  }

  /** The claims of the ID token. Those that it lacks come from the UserInfo endpoint. */
  private async claimsOf(
    provider: IdentityProviderEntity,
    configuration: Configuration,
    tokens: Tokens,
  ): Promise<Claims> {
    const claims = tokens.claims();
    const latest = Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS;
    if (claims === undefined || typeof claims['iat'] !== 'number' || claims['iat'] > latest)
      throw new SignInFailure('invalid-response');
    const hasUserInfo = typeof configuration.serverMetadata().userinfo_endpoint === 'string';
    if (!hasUserInfo || !needsUserInfo(claims, provider)) return claims;
    const oidc = await this.client.library;
    const { access_token: accessToken } = tokens;
    const subject = String(claims['sub']);
    const further = await this.try(() => oidc.fetchUserInfo(configuration, accessToken, subject));
    return { ...further, ...claims };
  }

  private async begin(
    provider: IdentityProviderEntity,
    { id: personId, organizationId }: PersonEntity,
    { tokens, userAgent }: { tokens: Tokens; userAgent: string | undefined },
  ): Promise<{ token: string; maxAgeSeconds: number }> {
    const token = generateKey();
    const { refresh_token: refreshToken, id_token: idToken } = tokens;
    const session = {
      organizationId,
      personId,
      account: null,
      hash: hashOf(token),
      expiresAt: new Date(Date.now() + SESSION_LIFETIME_MS),
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    };
    const atProvider = {
      providerId: provider.id,
      subject: String(tokens.claims()?.['sub']),
      sealedTokens: await this.secrets.sealTokens(provider, { refreshToken, idToken }),
      checkAt: refreshToken === undefined ? null : new Date(Date.now() + CHECK_SECONDS * 1_000),
    };
    // An owner may have removed the person since.
    unwrap(await this.sessions.create({ ...session, atProvider }), {
      'credentials-changed': () => new SignInFailure('not-invited'),
    });
    return { token, maxAgeSeconds: SESSION_LIFETIME_MS / 1_000 };
  }

  private async try<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw toSignInFailure(error, await this.client.library);
    }
  }
}

/** Limits the requests that strangers make to sign in at providers. */
@Injectable()
export class ProviderSignInLimiter {
  private readonly limiter = new RateLimiter(SIGN_IN_REQUESTS_PER_MINUTE);

  /** @param address of the client @throws {@link ApiError} `RATE_LIMIT` */
  count(address: string): void {
    const retryAfterSeconds = this.limiter.take(clientNetwork(address));
    if (retryAfterSeconds > 0)
      throw new ApiError('RATE_LIMIT', 'Too many attempts to sign in. Try again later.', {
        retryAfterSeconds,
      });
  }
}

function hashOf(secret: string): string {
  return describeKey(secret).hash;
}

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
function cookieOf(state: string): string {
  return `citewell_sign_in_${state.slice(0, COOKIE_NAME_CHARACTERS)}`;
}

/**
 * The `Set-Cookie` header that binds a sign-in to the browser. The provider sends the browser back with a navigation from
 * another site, which has cookies with `SameSite=Lax` only.
 *
 * @param value empty removes the cookie
 */
export function signInCookie(state: string, value: string, service: Service): string {
  const maxAgeSeconds = value === '' ? 0 : SIGN_IN_TIMEOUT_SECONDS;
  return setCookie(cookieOf(state), value, { maxAgeSeconds, sameSite: 'Lax' }, service);
}

export function signInCookieOf(state: string, headers: IncomingHttpHeaders, service: Service): string | null {
  return onlyCookie(headers, cookieNameOf(cookieOf(state), service));
}
