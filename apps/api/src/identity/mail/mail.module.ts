import type { Config } from '@citewell/config';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { Mailer } from './mailer.service.js';

@Module({
  providers: [
    {
      provide: Mailer,
      useFactory: (config: Config, logger: Logger) => new Mailer(config, logger),
      inject: [CONFIG, LOGGER],
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
