import {
  agentQuerySchema,
  type EvaluationConfiguration,
  type EvaluationOutcome,
  type EvaluationQuestion,
  type EvaluationSideResult,
  RANKED_PASSAGES,
  type Source,
} from '@citewell/contracts/schemas';
import {
  AgentRepository,
  DatasourceRepository,
  type DatastoreEntity,
  DatastoreRepository,
  type TenantScope,
} from '@citewell/database';
import {
  analyzedQuestions,
  AnswerKey,
  type JudgeablePassage,
  measureQuestion,
  RELEVANT,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { AnswerPreparationService } from '../answering/answers/answer-preparation.service.js';
import { AnswersService } from '../answering/answers/answers.service.js';
import { minScoreOf } from '../answering/answers/grounding.service.js';
import { found } from '../http/api-error.js';
import { toApiError } from '../http/to-api-error.js';
import type { FoundPassage } from '../answering/search/retriever.service.js';
import { Search } from '../answering/search/search.service.js';

/** Passages of an outcome, and characters of their texts and of the answer. */
const KEPT_PASSAGES = 3;
const KEPT_CHARACTERS = 300;
const ADDRESS = /^https?:\/\//i;
/** Missing documents that a result names. */
const SHOWN_DOCUMENTS = 20;
const ANSWER_TIMEOUT_MS = 600_000;

/** What a configuration stands for at the moment. */
export interface EvaluatedTarget {
  readonly datastores: readonly DatastoreEntity[];
  readonly minScore: number;
}

/** Asks the questions of evaluations, as a client would. Conversations are not stored; answers count as agent queries. */
@Injectable()
export class EvaluationAsker {
  constructor(
    @Inject(AgentRepository) private readonly agents: AgentRepository,
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(DatastoreRepository) private readonly datastores: DatastoreRepository,
    @Inject(Search) private readonly search: Search,
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
    @Inject(AnswersService) private readonly answers: AnswersService,
  ) {}

  /** @throws {@link ApiError} `NOT_FOUND` if the agent or the datastore does not exist */
  async target(tenant: TenantScope, configuration: EvaluationConfiguration): Promise<EvaluatedTarget> {
    const { agentId, datastoreId, minScore } = configuration;
    if (agentId === undefined) {
      const datastore = found(await this.datastores.find(tenant, datastoreId ?? ''), 'datastore');
      return { datastores: [datastore], minScore: minScore ?? RELEVANT };
    }
    const agent = found(await this.agents.findAlone(tenant, agentId), 'agent');
    const model = await this.preparation.modelOf(tenant, agent);
    return {
      datastores: await this.datastores.ofAgent(tenant, agentId),
      minScore: minScoreOf({ agent, query: { minScore }, model }),
    };
  }

  /** The expected documents that these datastores do not have. Addresses are not checked: pages may be redirected. */
  async missingDocuments(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    questions: readonly EvaluationQuestion[],
  ): Promise<EvaluationSideResult['missingDocuments']> {
    const relevant = questions.flatMap(({ documents = {} }) =>
      Object.entries(documents).flatMap(([name, grade]) => (grade > 0 ? name : [])),
    );
    const names = [...new Set(relevant)].filter((name) => !ADDRESS.test(name));
    const datastoreIds = datastores.map(({ id }) => id);
    const known = await this.datasources.knownNames(tenant, datastoreIds, names);
    const missing = names.filter((name) => !known.has(name));
    return { count: missing.length, names: missing.slice(0, SHOWN_DOCUMENTS) };
  }

  /**
   * Searches as the agent does, or as the datastore without one, and asks the agent.
   *
   * @param asking.isLeftOut whether a question counts as refused whose answer failed
   * @throws {@link ApiError} as the requests do
   */
  async ask(
    tenant: TenantScope,
    configuration: EvaluationConfiguration,
    question: EvaluationQuestion,
    { signal, isLeftOut }: { signal: AbortSignal; isLeftOut: (error: unknown) => boolean },
  ): Promise<EvaluationOutcome> {
    const { datastores, minScore } = await this.target(tenant, configuration);
    // The answer has a search of its own: one for more passages may order the first ones differently.
    const { questions, passages } = await this.search.find(
      tenant,
      datastores,
      analyzedQuestions(question.question),
      {
        limit: RANKED_PASSAGES,
        introductions: configuration.agentId !== undefined,
        signal,
      },
    );
    const answer = await this.answer(tenant, configuration, question.question, signal).catch(
      (error: unknown) => {
        if (!isLeftOut(error)) throw error;
        return { abstained: true, sources: [], answer: `Not answered: ${toApiError(error).message}` };
      },
    );
    // No minimum score refuses introductions.
    const hasIntroductions =
      passages.length > 0 && questions.some(({ areIntroductions }) => areIntroductions);
    const score = hasIntroductions ? 1 : Math.max(0, ...passages.map((passage) => passage.score));
    const refused = answer?.abstained ?? score < minScore;
    const judged = passages.map(toJudgeable);
    const cited = answer?.sources.filter((source) => source.cited).map(fromSource) ?? null;
    const key = new AnswerKey(question);
    return {
      ...measureQuestion(question, { passages: judged, cited, refused }),
      score,
      refused,
      passages: passages.slice(0, KEPT_PASSAGES).map((passage, index) => ({
        datasource_id: passage.run.datasourceId,
        datasource_name: passage.run.datasourceName,
        score: passage.score,
        text: beginningOf(passage.text),
        right: judged[index] !== undefined && key.isRight(judged[index]),
      })),
      ...(answer === null ? {} : { answer: beginningOf(answer.answer) }),
    };
  }

  private async answer(
    tenant: TenantScope,
    { agentId, topK, minScore }: EvaluationConfiguration,
    text: string,
    signal: AbortSignal,
  ) {
    if (agentId === undefined) return null;
    const query = agentQuerySchema.parse({ query: text, topK, minScore });
    const own = { history: [], instructions: '' };
    const prepared = await this.preparation.prepare(tenant, agentId, query, { own });
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
      // Quotes in place of the model's answer would be measured as its answer.
      return await this.answers.answer({ ...prepared, needsModel: true }, async () => undefined, limited);
    } finally {
      prepared.releaseSlot();
    }
  }
}

function toJudgeable({ text, run }: FoundPassage): JudgeablePassage {
  const { datasourceId, datasourceName, customId, sourceUrl } = run;
  return { text, datasourceId, datasourceName, customId, url: sourceUrl };
}

function fromSource({
  text,
  datasource_id,
  datasource_name,
  custom_id,
  source_url,
}: Source): JudgeablePassage {
  return {
    text,
    datasourceId: datasource_id,
    datasourceName: datasource_name,
    customId: custom_id,
    url: source_url,
  };
}

function beginningOf(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).toWellFormed();
}
