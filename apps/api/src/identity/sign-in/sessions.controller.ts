import type { Config } from '@citewell/config';
import {
  type ChooseOrganization,
  chooseOrganizationSchema,
  type Session,
  sessionSchema,
  type SignedOut,
  signedOutSchema,
  type SignIn,
  signInSchema,
} from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../http/authenticator.js';
import { Authenticated, type Caller, Public, RequireKey } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { assertOwnHost, ownAddress } from '../../http/own-address.js';
import { sessionCookie, sessionTokenOf } from '../../http/session-cookie.js';
import { ProviderLogout } from '../provider/provider-logout.service.js';
import { type BegunSession, SessionsService } from './sessions.service.js';

/** Signs browsers in and out. */
@Controller('session')
export class SessionsController {
  constructor(
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(ProviderLogout) private readonly providerLogout: ProviderLogout,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Operation('Sign a browser in', sessionSchema, {
    description:
      'Exchanges e-mail and password, an API key, the code of a sign-in link, or the token of an invitation, for a cookie that scripts cannot read. A token sets the password, and ends the sessions that the person had before. Somebody who has an account accepts an invitation with its password; another one fails with `CONFLICT`. With e-mail and password, the session begins in the organization that the account used last. The cookie counts only for requests of the same origin with the header Citewell-Csrf. A session that the browser had before ends. The session ends after 30 days, or with its person or key.',
    errors: ['UNAUTHORIZED', 'CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @Public()
  async signIn(
    @JsonBody(signInSchema) credentials: SignIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Session> {
    const { headers, ip } = request;
    assertOwnHost(headers, this.config);
    const before = sessionTokenOf(headers, this.config);
    const browser = { ip, headers, token: before };
    return this.begun(await this.sessions.signIn(credentials, browser), reply);
  }

  @Operation('Read the organization, the scopes and the person of the caller', sessionSchema)
  @Get()
  @RequireKey()
  read(@Authenticated() caller: Caller): Promise<Session> {
    return this.sessions.read(caller);
  }

  @Operation('Change to another organization of the account', sessionSchema, {
    description:
      'Ends the session, and begins one in another organization, until the same moment. Only in a session that was begun with the credentials of an account. Organizations that the account is not in are not found.',
    errors: ['NOT_FOUND'],
  })
  @Post('organization')
  @HttpCode(200)
  @RequireKey()
  async switchTo(
    @Authenticated() caller: Caller,
    @JsonBody(chooseOrganizationSchema) { organizationId }: ChooseOrganization,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Session> {
    return this.begun(await this.sessions.switchTo(caller, organizationId), reply);
  }

  /** Also succeeds without a session, so that a browser can always remove its cookie. */
  @Operation('Sign a browser out', signedOutSchema)
  @Delete()
  @Public()
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedOut> {
    const token = sessionTokenOf(request.headers, this.config);
    if (token === null) return { signedOut: true };
    // The audit log names the person.
    request.caller = (await this.authenticator.ofOpenSession(token)) ?? undefined;
    const endSessionUrl = await this.providerLogout.addressFor(token, () => ownAddress(request, this.config));
    await this.sessions.signOut(token);
    reply.header('Set-Cookie', sessionCookie('', 0, this.config));
    return { signedOut: true, ...(endSessionUrl === null ? {} : { endSessionUrl }) };
  }

  private async begun({ token, maxAgeSeconds }: BegunSession, reply: FastifyReply): Promise<Session> {
    reply.header('Set-Cookie', sessionCookie(token, maxAgeSeconds, this.config));
    const caller = await this.authenticator.ofSession(token);
    // The audit log names the person, and writes into the organization of the new session.
    reply.request.caller = caller;
    return this.sessions.read(caller);
  }
}
