import { type AnalyzedQuestion, asksAboutWholeDocument, usesContext } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { Introductions } from '../search/introductions.service.js';
import { RerankingRetriever } from '../search/reranking-retriever.service.js';
import type { FoundPassage } from '../search/retriever.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { standaloneQuestion } from './question-rewriter.js';

/** The passages that an answer is based on. */
export interface AnswerContext {
  /** Best first. */
  passages: FoundPassage[];
  /** Nothing relevant was found, and the agent is restricted to its sources: it must abstain. */
  isAbstained: boolean;
}

/** Finds the passages that an answer is based on, and decides whether the agent must abstain. */
@Injectable()
export class Grounding {
  constructor(
    @Inject(RerankingRetriever) private readonly retriever: RerankingRetriever,
    @Inject(Introductions) private readonly introductions: Introductions,
  ) {}

  async find(prepared: PreparedAnswer, signal: AbortSignal): Promise<AnswerContext> {
    const { agent, datastores, query, model, prompts, history } = prepared;
    const isGrounded = datastores.length > 0 && (usesContext(prompts.user) || usesContext(prompts.system));
    if (!isGrounded) return { passages: [], isAbstained: false };
    const question = await standaloneQuestion(prepared.question, history, model, signal);
    const passages = asksAboutWholeDocument(question.text)
      ? await this.introductions.find(prepared.tenant, datastores, query.filters)
      : await this.findRelevant(prepared, question, signal);
    return { passages, isAbstained: passages.length === 0 && agent.restrictToSources };
  }

  private async findRelevant(
    { tenant, agent, datastores, query }: PreparedAnswer,
    question: AnalyzedQuestion,
    signal: AbortSignal,
  ): Promise<FoundPassage[]> {
    const options = { limit: query.topK ?? agent.topK, filters: query.filters, signal };
    const hits = await this.retriever.retrieve(tenant, datastores, question, options);
    const minScore = query.minScore ?? agent.minScore;
    return hits.filter(({ score }) => score >= minScore);
  }
}
