import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { AnsweringModule } from '../answering/answering.module.js';
import { HealthReportController, OperationsController } from './operations.controller.js';
import { HealthReportService, ReadinessService } from './health-report.service.js';

/** Health, readiness and metrics. */
@Module({
  imports: [ModelsModule, AnsweringModule],
  controllers: [HealthReportController, OperationsController],
  providers: [HealthReportService, ReadinessService],
})
export class OperationsModule {}
