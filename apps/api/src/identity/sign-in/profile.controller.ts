import {
  type ChangeProfile,
  changeProfileSchema,
  type CreateToken,
  createTokenSchema,
  type OwnSession,
  type Profile,
  type Token,
  type TokenWithSecret,
} from '@citewell/contracts/schemas';
import { Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticated, type Caller, RequireKey } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { ProfileService } from './profile.service.js';
import { SessionsService } from './sessions.service.js';
import { TokensService } from './tokens.service.js';

/** The person who is signed in. `GET /session` reads the profile. */
@Controller('profile')
export class ProfileController {
  constructor(@Inject(ProfileService) private readonly profiles: ProfileService) {}

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

  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<OwnSession[]> {
    return this.sessions.list(caller);
  }

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

  @Post()
  @HttpCode(200)
  @RequireKey()
  create(
    @Authenticated() caller: Caller,
    @JsonBody(createTokenSchema) body: CreateToken,
  ): Promise<TokenWithSecret> {
    return this.tokens.create(caller, body);
  }

  @Get()
  @RequireKey()
  list(@Authenticated() caller: Caller): Promise<Token[]> {
    return this.tokens.list(caller);
  }

  @Delete(':id')
  @RequireKey()
  remove(@Authenticated() caller: Caller, @Param('id') id: string): Promise<Token> {
    return this.tokens.remove(caller, id);
  }
}
