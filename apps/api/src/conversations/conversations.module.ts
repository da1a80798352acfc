import { Module } from '@nestjs/common';
import { ConversationExportService } from './conversation-export.service.js';
import { ConversationsController } from './conversations.controller.js';
import { FeedbackController } from './feedback.controller.js';
import { ConversationsService } from './conversations.service.js';

@Module({
  controllers: [ConversationsController, FeedbackController],
  providers: [ConversationExportService, ConversationsService],
})
export class ConversationsModule {}
