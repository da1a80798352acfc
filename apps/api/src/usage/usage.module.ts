import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module.js';
import { BudgetsService } from './budgets.service.js';
import { UsageController } from './usage.controller.js';
import { UsageSharesController } from './usage-shares.controller.js';

/** What was used, by whom, what it costs, and what may be used. */
@Module({
  imports: [AnswersModule],
  controllers: [UsageController, UsageSharesController],
  providers: [BudgetsService],
})
export class UsageModule {}
