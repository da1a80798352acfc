import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module.js';
import { SearchModule } from '../search/search.module.js';
import { EvaluationAsker } from './evaluation-asker.service.js';
import { EvaluationRunner } from './evaluation-runner.service.js';
import { EvaluationsController } from './evaluations.controller.js';
import { EvaluationsService } from './evaluations.service.js';

@Module({
  imports: [AnswersModule, SearchModule],
  controllers: [EvaluationsController],
  providers: [EvaluationAsker, EvaluationRunner, EvaluationsService],
})
export class EvaluationsModule {}
