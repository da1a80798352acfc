import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PeopleController } from './people.controller.js';
import { InvitationMails } from './invitation-mails.service.js';
import { PeopleService } from './people.service.js';

@Module({
  imports: [HttpModule, MailModule],
  controllers: [PeopleController],
  providers: [InvitationMails, PeopleService],
})
export class PeopleModule {}
