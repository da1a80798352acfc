import {
  type ChangeProfile,
  changeProfileSchema,
  type CreateToken,
  createTokenSchema,
  type OwnSession,
  ownSessionSchema,
  type Profile,
  profileSchema,
  type Token,
  tokenSchema,
  type TokenWithSecret,
  tokenWithSecretSchema,
} from '@citewell/contracts/schemas';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticated, type Caller, RequireKey } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { ProfileService } from './profile.service.js';
import { SessionsService } from './sessions.service.js';
import { TokensService } from './tokens.service.js';

/** The person who is signed in. `GET /session` reads the profile. */
@Controller('profile')
export class ProfileController {
  constructor(@Inject(ProfileService) private readonly profiles: ProfileService) {}

  @Operation('Change the own profile', profileSchema, {
    description:
      'Only in the session of a person. E-mail and password are those of the account, in all its organizations. If the server sends e-mail, a new e-mail waits until the link that is sent to it is opened, and `emailToConfirm` names it. The answer is the same whether or not somebody else has the e-mail. Without a mail server the e-mail changes at once, does not keep others from being invited with it, and fails with `CONFLICT` if another person of one of the organizations has it. A person changes the e-mail ten times an hour at most.',
    errors: ['CONFLICT'],
  })
  @Patch()
  @RequireKey()
  change(
    @Authenticated() caller: Caller,
    @JsonBody(changeProfileSchema) body: ChangeProfile,
    @Req() { ip }: FastifyRequest,
  ): Promise<Profile> {
    return this.profiles.change(caller, body, ip);
  }
}

/** The browsers in which the person is signed in. */
@Controller('sessions')
export class OwnSessionsController {
  constructor(@Inject(SessionsService) private readonly sessions: SessionsService) {}

  @Operation('List the own sessions', listOf(ownSessionSchema), {
    description: 'Only in the session of a person. Newest first.',
  })
  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<OwnSession[]> {
    return this.sessions.list(caller);
  }

  @Operation('End an own session', ownSessionSchema)
  @Delete(':id')
  @RequireKey()
  end(@Authenticated() caller: Caller, @Param('id') id: string): Promise<OwnSession> {
    return this.sessions.end(caller, id);
  }
}

/** The personal access tokens of the person who is signed in. */
@Controller('tokens')
export class TokensController {
  constructor(@Inject(TokensService) private readonly tokens: TokensService) {}

  @Operation('Create a personal access token', tokenWithSecretSchema, {
    description:
      'Only in the session of a person. Programs send the token as `Authorization: Bearer`, and see what the person sees. A token has those of its scopes that the role of the person has at the moment of a request. It ends with its person, when it expires, or when it is revoked.',
    errors: ['CONFLICT'],
  })
  @Post()
  @HttpCode(200)
  @RequireKey()
  create(
    @Authenticated() caller: Caller,
    @JsonBody(createTokenSchema) body: CreateToken,
  ): Promise<TokenWithSecret> {
    return this.tokens.create(caller, body);
  }

  @Operation('List the own tokens', listOf(tokenSchema), {
    description: 'Only in the session of a person. Those that have not expired, newest first.',
  })
  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<Token[]> {
    return this.tokens.list(caller);
  }

  @Operation('Revoke an own token', tokenSchema, { description: 'Takes effect within five seconds.' })
  @Delete(':id')
  @RequireKey()
  remove(@Authenticated() caller: Caller, @Param('id') id: string): Promise<Token> {
    return this.tokens.remove(caller, id);
  }
}
