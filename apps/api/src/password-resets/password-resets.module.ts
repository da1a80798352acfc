import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { PasswordResetLimiter } from './password-reset-limiter.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResetsService } from './password-resets.service.js';

@Module({
  imports: [MailModule],
  controllers: [PasswordResetsController],
  providers: [
    PasswordResetsService,
    { provide: PasswordResetLimiter, useFactory: () => new PasswordResetLimiter() },
  ],
})
export class PasswordResetsModule {}
