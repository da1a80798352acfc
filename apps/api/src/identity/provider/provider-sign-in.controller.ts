import type { Config } from '@citewell/config';
import {
  type FindSignInProviders,
  findSignInProvidersSchema,
  type SignInProviders,
  signInProvidersSchema,
} from '@citewell/contracts/schemas';
import { IdentityProviderRepository } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../http/authenticator.js';
import { Public } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { sessionCookie, sessionCookieOf } from '../../http/session-cookie.js';
import {
  ProviderSignInLimiter,
  ProviderSignInService,
  signInCookie,
  signInCookieOf,
} from './provider-sign-in.service.js';
import { redirectUriOf } from './provider-client.service.js';
import { SignInFailure } from './provider-errors.js';

/** Return paths are resolved against this origin, which no page has. */
const RETURN_PATH_BASE = 'http://return.invalid';

const MAX_RETURN_PATH_LENGTH = 2_000;

const SEE_OTHER = 303;

/** Signs browsers in at identity providers. A sign-in that fails redirects the browser to the sign-in page. */
@Controller('session')
export class ProviderSignInController {
  constructor(
    @Inject(ProviderSignInService) private readonly signIns: ProviderSignInService,
    @Inject(IdentityProviderRepository) private readonly providers: IdentityProviderRepository,
    @Inject(ProviderSignInLimiter) private readonly limiter: ProviderSignInLimiter,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** With several organizations, strangers do not learn which ones there are. */
  @Operation('List the identity providers of the sign-in page', signInProvidersSchema, {
    description:
      'A browser signs in at `/api/session/oidc/<id>/start`. With several organizations, the list is empty, and `byEmail` is true.',
  })
  @Get('providers')
  @Public()
  async list(@Req() { ip }: FastifyRequest): Promise<SignInProviders> {
    this.limiter.count(ip);
    const providers = await this.providers.offeredToAll();
    return { providers: providers ?? [], byEmail: providers === null };
  }

  @Operation('Find the identity providers for an e-mail', signInProvidersSchema, {
    description: 'Only its domain counts, so that the response does not tell whether a person exists.',
  })
  @Post('providers')
  @HttpCode(200)
  @Public()
  async find(
    @JsonBody(findSignInProvidersSchema) { email }: FindSignInProviders,
    @Req() { ip }: FastifyRequest,
  ): Promise<SignInProviders> {
    this.limiter.count(ip);
    const domain = email.slice(email.lastIndexOf('@') + 1);
    return { providers: await this.providers.withDomain(domain), byEmail: true };
  }

  @Get('oidc/:id/start')
  @Public()
  async start(
    @Param('id') id: string,
    @Query('returnTo') returnTo: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.limiter.count(request.ip);
    const redirectUri = redirectUriOf(id, request, this.config);
    await this.redirect(reply, id, async () => {
      if (!isBegunHere(request)) throw new SignInFailure('not-begun-here');
      const browser = {
        returnPath: returnPath(returnTo, this.config.BASE_PATH),
        sessionToken: sessionCookieOf(request.headers, this.config),
      };
      const { url, state, browser: binding } = await this.signIns.start(id, redirectUri, browser);
      reply.header('Set-Cookie', signInCookie(state, binding, this.config));
      return url.href;
    });
  }

  @Get('oidc/:id/callback')
  @Public()
  async callback(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.limiter.count(request.ip);
    const callback = new URL(redirectUriOf(id, request, this.config));
    callback.search = request.url.slice(request.url.indexOf('?') + 1);
    const { headers } = request;
    await this.redirect(reply, id, async () => {
      const state = callback.searchParams.get('state') ?? '';
      const browser = signInCookieOf(state, headers, this.config);
      if (browser !== null) reply.header('Set-Cookie', signInCookie(state, '', this.config));
      const userAgent = headers['user-agent'];
      const finished = await this.signIns.finish(id, callback, { browser, userAgent });
      reply.header('Set-Cookie', sessionCookie(finished.token, finished.maxAgeSeconds, this.config));
      // The audit log names the person.
      request.caller = await this.authenticator.ofSession(finished.token);
      return finished.returnPath;
    });
  }

  /** Redirects to the address that the work returns; to the sign-in page with the reason if it fails. */
  private async redirect(
    reply: FastifyReply,
    providerId: string,
    work: () => Promise<string>,
  ): Promise<void> {
    reply.headers({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    let location: string;
    try {
      location = await work();
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      const { reason, cause } = error;
      this.logger.warn({ providerId, reason, err: cause }, 'sign-in at an identity provider failed');
      // The part after `#` is not sent to the server.
      location = `${this.config.BASE_PATH}/#sign-in-failed=${reason}`;
    }
    reply.redirect(location, SEE_OTHER);
  }
}

/**
 * Whether a person has opened the address: on a page of the service, or by hand. Another site could sign people in, to an
 * account that they have not chosen. Browsers do not send the header over plain HTTP.
 */
function isBegunHere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** The path of a page of this service; its start page for everything else, because a link could lead to another site. */
export function returnPath(wanted: unknown, basePath: string): string {
  const start = `${basePath}/`;
  if (typeof wanted !== 'string' || wanted.length > MAX_RETURN_PATH_LENGTH || !/^\/(?![/\\])/.test(wanted))
    return start;
  // Browsers remove control characters from addresses, and read a backslash as a slash.
  const url = /[\p{Cc}\\]/u.test(wanted) ? null : URL.parse(wanted, RETURN_PATH_BASE);
  if (
    url === null ||
    url.origin !== RETURN_PATH_BASE ||
    url.pathname.startsWith('//') ||
    !url.pathname.startsWith(start) ||
    /^\/api(?:\/|$)/i.test(url.pathname.slice(basePath.length))
  )
    return start;
  return `${url.pathname}${url.search}`;
}
