import { Module } from '@nestjs/common';
import { ConversationExportService } from './conversation-export.service.js';
import { ConversationsController } from './conversations.controller.js';
import { FeedbackController } from './feedback.controller.js';
import { ConversationsService } from './conversations.service.js';
import { SharedConversationsController } from './shared-conversations.controller.js';
import { SharedConversationsService } from './shared-conversations.service.js';

@Module({
  controllers: [ConversationsController, FeedbackController, SharedConversationsController],
  providers: [ConversationExportService, ConversationsService, SharedConversationsService],
})
export class ConversationsModule {}
