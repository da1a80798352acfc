import type { Config } from '@citewell/config';
import {
  type ChooseOrganization,
  chooseOrganizationSchema,
  type Session,
  type SignedOut,
  type SignIn,
  signInSchema,
} from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../http/authenticator.js';
import { Authenticated, type Caller, Public, RequireKey } from '../../http/caller.js';
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

  @Get()
  @RequireKey()
  read(@Authenticated() caller: Caller): Promise<Session> {
    return this.sessions.read(caller);
  }

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
