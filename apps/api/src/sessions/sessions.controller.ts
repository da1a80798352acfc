import type { Config } from '@citewell/config';
import { type Session, type SignedOut, type SignIn, signInSchema } from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, RequireKey } from '../http/caller.js';
import { JsonBody } from '../http/request-input.js';
import { assertOwnHost } from '../http/own-address.js';
import { sessionCookie, sessionTokenOf } from '../http/session-cookie.js';
import { SessionsService } from './sessions.service.js';

/** Signs browsers in and out. */
@Controller('session')
export class SessionsController {
  constructor(
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @Public()
  async signIn(
    @JsonBody(signInSchema) credentials: SignIn,
    @Req() { headers, ip }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Session> {
    assertOwnHost(headers, this.config);
    const { session, token, maxAgeSeconds } = await this.sessions.signIn(credentials, ip);
    reply.header('Set-Cookie', sessionCookie(token, maxAgeSeconds, this.config));
    return session;
  }

  @Get()
  @RequireKey()
  read(@Req() { caller }: FastifyRequest): Promise<Session> {
    if (!caller) throw new Error('A route with RequireKey has a caller');
    return this.sessions.read(caller);
  }

  /** Also succeeds without a session, so that a browser can always remove its cookie. */
  @Delete()
  @Public()
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedOut> {
    const token = sessionTokenOf(request.headers, this.config);
    if (token !== null) {
      await this.sessions.signOut(token);
      reply.header('Set-Cookie', sessionCookie('', 0, this.config));
    }
    return { signedOut: true };
  }
}
