import type { Config } from '@citewell/config';
import {
  type PasswordResetRequested,
  type RequestPasswordReset,
  requestPasswordResetSchema,
  type SignInOptions,
} from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { PasswordResetsService } from './password-resets.service.js';

/** What people can do who cannot sign in. */
@Controller()
export class PasswordResetsController {
  constructor(
    @Inject(PasswordResetsService) private readonly resets: PasswordResetsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('sign-in-options')
  @Public()
  options(): SignInOptions {
    const { PUBLIC_URL } = this.config;
    return {
      passwordReset: this.resets.isOffered,
      passkeyOrigin: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin,
    };
  }

  @Post('password-resets')
  @HttpCode(200)
  @Public()
  request(
    @JsonBody(requestPasswordResetSchema) body: RequestPasswordReset,
    @Req() { ip }: FastifyRequest,
  ): PasswordResetRequested {
    this.resets.request(body, ip);
    return { requested: true };
  }
}
