import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '@citewell/config';
import type { CreatePasskey, PasskeyOptions, SignIn } from '@citewell/contracts/schemas';
import {
  AccountRepository,
  describeKey,
  generateKey,
  type PasskeyEntity,
  PasskeyRepository,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../http/api-error.js';
import { clientNetwork } from '../../http/client-network.js';
import { assertOwnHost, isSameHost, type Service } from '../../http/own-address.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { cookieNameOf, onlyCookie, setCookie } from '../../http/session-cookie.js';
import { signInSubjectOf, type SignInSubject } from './sign-in-subject.js';

const CHALLENGES_PER_MINUTE = 30;

const COOKIE_NAME = 'citewell_passkey';

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

/** Options for the browser, and the token that binds their challenge to it. */
export interface Begun {
  options: PasskeyOptions;
  token: string;
}

/**
 * The two ceremonies of WebAuthn: making a passkey, and signing in with one. A challenge works once, within five minutes, in the
 * browser that asked for it. The authenticator has to verify its user, by a PIN or biometrics.
 */
@Injectable()
export class PasskeyCeremony {
  constructor(
    @Inject(AccountRepository) private readonly accounts: AccountRepository,
    @Inject(PasskeyRepository) private readonly passkeys: PasskeyRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async beginRegistration(
    account: { id: string; name: string },
    headers: IncomingHttpHeaders,
  ): Promise<Begun> {
    const { generateRegistrationOptions } = await library();
    const { rpId } = relyingPartyOf(headers, this.config);
    const existing = await this.passkeys.ofAccount(account.id);
    const options = await generateRegistrationOptions({
      rpName: 'Citewell',
      rpID: rpId,
      userName: account.name,
      userDisplayName: account.name,
      userID: userIdOf(account.id),
      timeout: CHALLENGE_LIFETIME_MS,
      excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return this.store(options, account.id);
  }

  /** @throws {@link ApiError} `CONFLICT` for a credential that is not accepted */
  async finishRegistration(
    accountId: string,
    { name, credential }: CreatePasskey,
    headers: IncomingHttpHeaders,
  ): Promise<PasskeyEntity> {
    const { verifyRegistrationResponse } = await library();
    const { rpId, origin } = relyingPartyOf(headers, this.config);
    const taken = await this.take(headers);
    const verification =
      taken?.accountId === accountId
        ? await accepted(() =>
            verifyRegistrationResponse({
              // The library checks what the schema does not.
              response: credential as unknown as RegistrationResponseJSON,
              expectedChallenge: taken.challenge,
              expectedOrigin: origin,
              expectedRPID: rpId,
              requireUserVerification: true,
            }),
          )
        : null;
    const made = verification?.verified ? verification.registrationInfo.credential : null;
    const passkey =
      made &&
      (await this.passkeys.add({
        accountId,
        name,
        credentialId: made.id,
        publicKey: made.publicKey,
        counter: made.counter,
        transports: made.transports ?? [],
      }));
    if (!passkey?.ok) throw new ApiError('CONFLICT', 'The passkey was not accepted. Begin again.');
    return passkey.value;
  }

  async beginSignIn(headers: IncomingHttpHeaders): Promise<Begun> {
    const { generateAuthenticationOptions } = await library();
    const { rpId } = relyingPartyOf(headers, this.config);
    const options = await generateAuthenticationOptions({
      rpID: rpId,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    });
    return this.store(options, null);
  }

  /** @throws {@link ApiError} `UNAUTHORIZED`, with the same sentence for every reason */
  async signIn(
    response: NonNullable<SignIn['passkey']>,
    headers: IncomingHttpHeaders,
  ): Promise<SignInSubject> {
    const taken = await this.take(headers);
    const passkey = taken?.accountId === null ? await this.passkeys.withCredential(response.id) : null;
    if (
      taken &&
      passkey &&
      (await this.isSigned(response, { passkey, challenge: taken.challenge, headers }))
    ) {
      const [membership] = await this.accounts.memberships(passkey.accountId);
      if (membership) return signInSubjectOf(membership, { id: passkey.accountId, passkeyId: passkey.id });
    }
    throw new ApiError(
      'UNAUTHORIZED',
      'The passkey was not accepted. Try again, or sign in with e-mail and password.',
    );
  }

  /** Whether the passkey has signed the challenge. A counter that goes back may be that of a copy, and is refused. */
  private async isSigned(
    response: NonNullable<SignIn['passkey']>,
    {
      passkey,
      challenge,
      headers,
    }: { passkey: PasskeyEntity; challenge: string; headers: IncomingHttpHeaders },
  ): Promise<boolean> {
    const { verifyAuthenticationResponse } = await library();
    const { rpId, origin } = relyingPartyOf(headers, this.config);
    const { id, accountId, credentialId, counter, transports } = passkey;
    const { userHandle } = response.response;
    if (userHandle !== undefined && userHandle !== Buffer.from(userIdOf(accountId)).toString('base64url'))
      return false;
    const verification = await accepted(() =>
      verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: { id: credentialId, publicKey: new Uint8Array(passkey.publicKey), counter, transports },
      }),
    );
    if (!verification?.verified) return false;
    return this.passkeys.recordUse(id, { before: counter, now: verification.authenticationInfo.newCounter });
  }

  private async store(options: { challenge: string }, accountId: string | null): Promise<Begun> {
    const token = generateKey();
    await this.passkeys.addChallenge({
      hash: describeKey(token).hash,
      challenge: options.challenge,
      accountId,
      expiresAt: new Date(Date.now() + CHALLENGE_LIFETIME_MS),
    });
    return { options: { ...options }, token };
  }

  private async take(headers: IncomingHttpHeaders): ReturnType<PasskeyRepository['takeChallenge']> {
    const token = onlyCookie(headers, cookieNameOf(COOKIE_NAME, this.config));
    return token === null ? null : this.passkeys.takeChallenge(describeKey(token).hash);
  }
}

/** Limits the challenges that an address gets without a session: each is a row. */
export class PasskeyChallengeLimiter {
  private readonly addresses = new RateLimiter(CHALLENGES_PER_MINUTE);

  /**
   * @param address of the client
   * @throws {@link ApiError} `RATE_LIMIT`
   */
  count(address: string): void {
    const retryAfterSeconds = this.addresses.take(clientNetwork(address));
    if (retryAfterSeconds === 0) return;
    const sentence = `Too many attempts to sign in. Try again in ${retryAfterSeconds} seconds.`;
    throw new ApiError('RATE_LIMIT', sentence, { retryAfterSeconds });
  }
}

/** Loaded when it is needed: most processes never see a passkey. */
const library = () => import('@simplewebauthn/server');

/** The library throws for everything that it does not accept. */
async function accepted<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  return verify().catch(() => null);
}

/** Authenticators keep it, so it is not the id of a row. */
function userIdOf(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`passkey ${accountId}`).digest());
}

/** Where passkeys count: for one name, on pages of one origin. */
interface RelyingParty {
  rpId: string;
  origin: string;
}

/**
 * The configured address or, without one, the page's own, which is checked as for sessions: no site gets passkeys for a name of
 * its own that resolves to this server.
 *
 * @throws {@link ApiError} `FORBIDDEN` for an unknown address, and for an IP address, for which browsers make no passkeys
 */
export function relyingPartyOf(headers: IncomingHttpHeaders, service: Service): RelyingParty {
  const { hostname, origin } =
    service.PUBLIC_URL === undefined ? ownPage(headers, service) : new URL(service.PUBLIC_URL);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new ApiError('FORBIDDEN', 'Passkeys need a name: open the server by a name, not by an IP address.');
  return { rpId: hostname, origin };
}

/** The address of the page that sends a request. */
function ownPage(headers: IncomingHttpHeaders, service: Service): URL {
  assertOwnHost(headers, service);
  const { origin, host } = headers;
  const page = URL.parse(origin ?? '');
  if (page !== null && isSameHost(page.origin, host)) return page;
  throw new ApiError('FORBIDDEN', 'Passkeys work on pages of this server only.');
}

/** The `Set-Cookie` header that binds a challenge to a browser. */
export function challengeCookie(token: string, maxAgeSeconds: number, service: Service): string {
  return setCookie(COOKIE_NAME, token, { maxAgeSeconds, sameSite: 'Strict' }, service);
}
