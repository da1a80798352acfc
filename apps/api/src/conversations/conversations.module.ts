import { Module } from '@nestjs/common';
import { ConversationExportService } from './conversation-export.service.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';

@Module({
  controllers: [ConversationsController],
  providers: [ConversationExportService, ConversationsService],
})
export class ConversationsModule {}
