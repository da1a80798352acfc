import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { HealthReportController } from './health-report.controller.js';
import { HealthReportService } from './health-report.service.js';
import { OperationsController } from './operations.controller.js';
import { ReadinessService } from './readiness.service.js';
import { AnsweringModule } from '../answering/answering.module.js';

/** Health, readiness and metrics. */
@Module({
  imports: [ModelsModule, AnsweringModule],
  controllers: [HealthReportController, OperationsController],
  providers: [HealthReportService, ReadinessService],
})
export class OperationsModule {}
