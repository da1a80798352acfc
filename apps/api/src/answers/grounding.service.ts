import { asksAboutTheWhole, relevanceTest, usesContext } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { Openings } from '../search/openings.service.js';
import { type FoundPassage, Retriever } from '../search/retriever.service.js';
import type { PreparedAnswer } from './answers.service.js';
import { standaloneQuestion } from './question-rewriter.js';

/** Chunks that are considered for the context. */
const CANDIDATES = 12;
/** A hit this near to the question is relevant whatever its words; it only spares the model what is far off. */
const MIN_COSINE = 0.3;

/** What an answer may stand on. */
export interface Ground {
  /** Best first. */
  passages: FoundPassage[];
  /** Nothing relevant was found, and the agent may say nothing else. */
  isAbstained: boolean;
}

/** Finds the passages that an answer stands on, or that there are none. */
@Injectable()
export class Grounding {
  constructor(
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(Openings) private readonly openings: Openings,
  ) {}

  async find(prepared: PreparedAnswer, signal: AbortSignal): Promise<Ground> {
    const { agent, datastores, query, model, prompts, history } = prepared;
    const isGrounded = datastores.length > 0 && (usesContext(prompts.user) || usesContext(prompts.system));
    if (!isGrounded) return { passages: [], isAbstained: false };
    const question = await standaloneQuestion(query.query, history, model, signal);
    const passages = asksAboutTheWhole(question)
      ? await this.openings.find(prepared.tenant, datastores, query.filters)
      : await this.findRelevant(prepared, question, signal);
    return { passages, isAbstained: passages.length === 0 && agent.restrictToSources };
  }

  private async findRelevant(
    { tenant, datastores, query }: PreparedAnswer,
    question: string,
    signal: AbortSignal,
  ): Promise<FoundPassage[]> {
    const options = { limit: CANDIDATES, filters: query.filters, signal };
    const hits = await this.retriever.retrieve(tenant, datastores, question, options);
    const isRelevant = relevanceTest(question, { minCosine: MIN_COSINE });
    return hits.filter((hit) => isRelevant(evidenceOf(hit)));
  }
}

/** What speaks for a hit. An engine that does not tell the legs' scores leaves the judgement of a dense hit to the model. */
function evidenceOf({ text, header, scoring, score, legs }: FoundPassage) {
  const cosine =
    legs.dense ??
    (scoring === 'dense' ? score : scoring === 'fused' && legs.lexical === undefined ? 1 : undefined);
  return {
    text,
    header,
    ...(scoring === 'lexical' ? { lexicalScore: score } : {}),
    ...(cosine === undefined ? {} : { cosine }),
  };
}
