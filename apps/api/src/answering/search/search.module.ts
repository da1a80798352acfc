import { Module } from '@nestjs/common';
import { ModelsModule } from '../../models/models.module.js';
import { ChunkReader } from './chunk-reader.service.js';
import { IndexRecovery } from './index-recovery.service.js';
import { Introductions } from './introductions.service.js';
import { QuestionEmbedder } from './question-embedder.service.js';
import { RerankingRetriever } from './reranking-retriever.service.js';
import { Retriever } from './retriever.service.js';
import { SearchExplainer } from './search-explainer.service.js';
import { TextAbove } from './text-above.service.js';

/** Finds passages. */
@Module({
  imports: [ModelsModule],
  providers: [
    ChunkReader,
    IndexRecovery,
    Introductions,
    TextAbove,
    QuestionEmbedder,
    RerankingRetriever,
    Retriever,
    SearchExplainer,
  ],
  exports: [ChunkReader, IndexRecovery, Introductions, RerankingRetriever, SearchExplainer, TextAbove],
})
export class SearchModule {}
