import { Module } from '@nestjs/common';
import { BudgetsService } from './budgets.service.js';
import { UsageController } from './usage.controller.js';
import { UsageSharesController } from './usage-shares.controller.js';

/** What was used, by whom, what it costs, and what may be used. */
@Module({
  controllers: [UsageController, UsageSharesController],
  providers: [BudgetsService],
})
export class UsageModule {}
