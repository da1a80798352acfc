import { Module } from '@nestjs/common';
import { EvaluationAsker } from './evaluation-asker.service.js';
import { EvaluationRunner } from './evaluation-runner.service.js';
import { EvaluationsController } from './evaluations.controller.js';
import { EvaluationsService } from './evaluations.service.js';
import { AnsweringModule } from '../answering/answering.module.js';

@Module({
  imports: [AnsweringModule],
  controllers: [EvaluationsController],
  providers: [EvaluationAsker, EvaluationRunner, EvaluationsService],
})
export class EvaluationModule {}
