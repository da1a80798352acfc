import type { Config } from '@citewell/config';
import {
  type CreatePasskey,
  createPasskeySchema,
  type Passkey,
  type PasskeyOptions,
  passkeyOptionsSchema,
  passkeySchema,
  type RegisterPasskey,
  registerPasskeySchema,
} from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticated, type Caller, Public, RequireKey } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import {
  type Begun,
  CHALLENGE_LIFETIME_MS,
  challengeCookie,
  PasskeyCeremony,
  PasskeyChallengeLimiter,
} from './passkey-ceremony.service.js';
import { PasskeysService } from './passkeys.service.js';

const OF_AN_ACCOUNT = 'Only in a session that was begun with the credentials of an account.';

/** Passkeys of the account that is signed in, and the challenge to sign in with one. */
@Controller('passkeys')
export class PasskeysController {
  constructor(
    @Inject(PasskeysService) private readonly passkeys: PasskeysService,
    @Inject(PasskeyCeremony) private readonly ceremony: PasskeyCeremony,
    @Inject(PasskeyChallengeLimiter) private readonly limiter: PasskeyChallengeLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Operation('Begin to sign in with a passkey', passkeyOptionsSchema, {
    description:
      'The response is for `navigator.credentials.get`, and `POST /session` takes what that returns as `passkey`. The challenge works once, within five minutes, in the browser that gets the cookie of this response.',
    errors: ['FORBIDDEN'],
  })
  @Post('challenge')
  @HttpCode(200)
  @Public()
  async challenge(
    @Req() { headers, ip }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyOptions> {
    this.limiter.count(ip);
    return this.begun(await this.ceremony.beginSignIn(headers), reply);
  }

  @Operation('Begin to make a passkey', passkeyOptionsSchema, {
    description: `The response is for \`navigator.credentials.create\`, and \`POST /passkeys\` takes what that returns. ${OF_AN_ACCOUNT}`,
  })
  @Post('registration')
  @HttpCode(200)
  @RequireKey()
  async register(
    @Authenticated() caller: Caller,
    @JsonBody(registerPasskeySchema) { currentPassword }: RegisterPasskey,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyOptions> {
    return this.begun(await this.passkeys.begin(caller, currentPassword, request), reply);
  }

  @Operation('Store a passkey', passkeySchema, {
    description: `${OF_AN_ACCOUNT} Fails with \`CONFLICT\` for a passkey that is not accepted. An account has 20 at most.`,
    errors: ['CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @RequireKey()
  create(
    @Authenticated() caller: Caller,
    @JsonBody(createPasskeySchema) body: CreatePasskey,
    @Req() { headers }: FastifyRequest,
  ): Promise<Passkey> {
    return this.passkeys.create(caller, body, headers);
  }

  @Operation('List the own passkeys', listOf(passkeySchema), { description: OF_AN_ACCOUNT })
  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<Passkey[]> {
    return this.passkeys.list(caller);
  }

  @Operation('Remove an own passkey', passkeySchema, {
    description: `${OF_AN_ACCOUNT} Sessions that it has begun do not end.`,
  })
  @Delete(':id')
  @RequireKey()
  remove(@Authenticated() caller: Caller, @Param('id') id: string): Promise<Passkey> {
    return this.passkeys.remove(caller, id);
  }

  private begun({ options, token }: Begun, reply: FastifyReply): PasskeyOptions {
    reply.header('Set-Cookie', challengeCookie(token, CHALLENGE_LIFETIME_MS / 1_000, this.config));
    return options;
  }
}
