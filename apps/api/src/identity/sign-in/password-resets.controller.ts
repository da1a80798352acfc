import type { Config } from '@citewell/config';
import {
  type PasswordResetRequested,
  passwordResetRequestedSchema,
  type RequestPasswordReset,
  requestPasswordResetSchema,
  type SignInOptions,
  signInOptionsSchema,
} from '@citewell/contracts/schemas';
import { CONFIG } from '@citewell/infrastructure';
import { Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { PasswordResetsService } from './password-resets.service.js';

/** What people can do who cannot sign in. */
@Controller()
export class PasswordResetsController {
  constructor(
    @Inject(PasswordResetsService) private readonly resets: PasswordResetsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Operation('Read what the sign-in page offers', signInOptionsSchema)
  @Get('sign-in-options')
  @Public()
  options(): SignInOptions {
    const { PUBLIC_URL } = this.config;
    return {
      passwordReset: this.resets.isOffered,
      passkeyOrigin: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin,
    };
  }

  @Operation('Send a link to reset a password', passwordResetRequestedSchema, {
    description:
      'Sends a link to the e-mail, if there is an account with it. The link works once, within an hour; `POST /session` takes its token as `reset`. The response is the same without an account. Fails with `FORBIDDEN` if the server sends no mails (`SMTP_URL`).',
    errors: ['FORBIDDEN'],
  })
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
