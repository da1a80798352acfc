import {
  type CreateToken,
  createTokenSchema,
  type Token,
  type TokenWithSecret,
} from '@citewell/contracts/schemas';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { Authenticated, type Caller, RequireKey } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { TokensService } from './tokens.service.js';

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
