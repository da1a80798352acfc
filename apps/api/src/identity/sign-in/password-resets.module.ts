import { Module } from '@nestjs/common';
import { LinkLimiter } from '../mail/link-limiter.js';
import { MailModule } from '../mail/mail.module.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { PasswordResetsService } from './password-resets.service.js';

const PER_ADDRESS_AND_HOUR = 30;

@Module({
  imports: [MailModule],
  controllers: [PasswordResetsController],
  providers: [
    PasswordResetsService,
    { provide: LinkLimiter, useFactory: () => new LinkLimiter(PER_ADDRESS_AND_HOUR) },
  ],
})
export class PasswordResetsModule {}
