import { Module } from '@nestjs/common';
import { AnswersModule } from '../answering/answers/answers.module.js';
import { SearchModule } from '../answering/search/search.module.js';
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
