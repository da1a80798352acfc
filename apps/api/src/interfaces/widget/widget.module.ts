import { Module } from '@nestjs/common';
import { PublicAgents } from './public-agents.service.js';
import { WidgetController } from './widget.controller.js';

@Module({
  controllers: [WidgetController],
  providers: [PublicAgents],
})
export class WidgetModule {}
