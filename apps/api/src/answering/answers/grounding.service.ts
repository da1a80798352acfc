import { type AgentQuery, querySchema } from '@citewell/contracts/schemas';
import { type AgentEntity, DocumentChangeRepository } from '@citewell/database';
import { type ChatModel, readText } from '@citewell/models';
import { FaultPoints } from '@citewell/observability';
import {
  analyze,
  type AnalyzedQuestion,
  analyzedQuestions,
  firstLanguage,
  isRewriteOf,
  isSmallTalk,
  type Language,
  RELEVANT,
  rewritePrompt,
  termId,
  type Turn,
  usesContext,
  WORTH_ASKING,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import type { FoundPassage } from '../search/retriever.service.js';
import { type Found, type FoundForQuestion, Search } from '../search/search.service.js';
import { citedTable, type FoundTable, TableAnswers } from '../tables/table-answers.service.js';
import { TableQueries } from '../tables/table-queries.service.js';
import { type OverviewAnswer, OverviewService } from './overview.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';

const REWRITE_TIMEOUT_MS = 10_000;
/** A question needs 100 at most. Models that reason need more before. */
const REWRITE_TOKENS = 1_000;
const MAX_REWRITTEN_LENGTH = 2_000;

/** Fewer passages do not form a list. */
const MIN_LISTED_PASSAGES = 3;

/** Passages whose documents may have a table that answers. */
const TABLE_PASSAGES = 30;

/** The best passages for a question that may be from a table, if none is relevant. */
const MAX_FROM_TABLES = 5;

/** The share of its terms that a passage has in common with another one of the list. */
const ALIKE_SHARE = 0.5;

/** The passages that an answer is based on. */
export interface AnswerContext extends Grounds {
  /** When the texts of their documents changed lately, by datasource. */
  changes: ReadonlyMap<string, Date>;
}

/** What was found for a question, with what tables have for it. */
export interface GroundedQuestion extends FoundForQuestion {
  /** Absent: the tables were not asked. */
  readonly tables?: readonly FoundTable[];
}

interface GroundedQuestions extends Found {
  readonly questions: readonly GroundedQuestion[];
}

interface Grounds extends GroundedQuestions {
  /** Nothing relevant was found, and the agent is restricted to its sources: it must abstain. */
  isAbstained: boolean;
  /** Of what the service says: that of the question, else of the conversation, else of the best passage. */
  language: Language;
  /** The question is about everything, and this is the answer. */
  overview?: OverviewAnswer;
}

const NOTHING: GroundedQuestions = { questions: [], passages: [] };

/** Finds the passages that an answer is based on, and decides whether the agent must abstain. */
@Injectable()
export class Grounding {
  constructor(
    @Inject(Search) private readonly search: Pick<Search, 'find'>,
    @Inject(OverviewService) private readonly overview: Pick<OverviewService, 'find'>,
    @Inject(TableAnswers) private readonly tables: Pick<TableAnswers, 'find'>,
    @Inject(TableQueries) private readonly queries: Pick<TableQueries, 'offer'>,
    @Inject(DocumentChangeRepository) private readonly changes: Pick<DocumentChangeRepository, 'recent'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  async find(prepared: PreparedAnswer, signal: AbortSignal): Promise<AnswerContext> {
    this.faults.reach('before-answer', prepared.query.query);
    const grounds = await this.findGrounds(prepared, signal);
    const datasourceIds = grounds.passages.map(({ run }) => run.datasourceId);
    return { ...grounds, changes: await this.changes.recent(prepared.tenant.organizationId, datasourceIds) };
  }

  private async findGrounds(prepared: PreparedAnswer, signal: AbortSignal): Promise<Grounds> {
    const { agent, datastores, model, prompts, history } = prepared;
    const isGrounded = datastores.length > 0 && (usesContext(prompts.user) || usesContext(prompts.system));
    const asked = [
      prepared.question.text,
      ...newestFirst(history, 'human'),
      ...newestFirst(history, 'agent'),
    ];
    const language = firstLanguage(asked);
    if (!isGrounded) return { ...NOTHING, isAbstained: false, language };
    const overview = prepared.task ? null : await this.overview.find(prepared, language, signal);
    if (overview) return { ...NOTHING, passages: overview.passages, isAbstained: false, language, overview };
    if (isSmallTalk(prepared.question.text, history.length === 0))
      return { ...NOTHING, isAbstained: agent.restrictToSources, language };
    const standalone = await standaloneQuestions(prepared.question, history, model, signal);
    let found = await this.findRelevant(prepared, standalone.questions, language, signal);
    if (found.passages.length === 0 && standalone.otherwise.length > 0)
      found = await this.findRelevant(prepared, standalone.otherwise, language, signal);
    const { passages } = found;
    return {
      ...found,
      isAbstained: passages.length === 0 && agent.restrictToSources,
      language: firstLanguage([...asked, ...passages.slice(0, 1).map(({ text }) => text)]),
    };
  }

  private async findRelevant(
    prepared: PreparedAnswer,
    questions: readonly AnalyzedQuestion[],
    language: Language,
    signal: AbortSignal,
  ): Promise<GroundedQuestions> {
    const { tenant, agent, datastores, query, model } = prepared;
    const minScore = minScoreOf(prepared);
    const limit = query.topK ?? agent.topK;
    const searched = new Map<AnalyzedQuestion, readonly FoundPassage[]>();
    const found = await this.search.find(tenant, datastores, questions, {
      introductions: true,
      limit: model ? limit : Math.max(limit, TABLE_PASSAGES),
      filters: query.filters,
      signal,
      keep: (question, passages) => {
        searched.set(question, passages);
        return relevantPassages(question, passages, minScore);
      },
    });
    const relevant = { ...found, passages: found.passages.slice(0, limit) };
    const all = questions.map((question) => searched.get(question) ?? []);
    if (model === null) return this.withTables(relevant, all, language);
    return relevant.passages.length === 0 && minScore <= WORTH_ASKING
      ? this.fromTables(found, all)
      : relevant;
  }

  /**
   * The best passages that are from tables, although none is relevant: a model can count the rows whose words the question does
   * not have.
   */
  private async fromTables(
    { questions }: Found,
    searched: readonly (readonly FoundPassage[])[],
  ): Promise<GroundedQuestions> {
    const best = [
      ...new Map(
        searched.flatMap((all) => all.slice(0, MAX_FROM_TABLES)).map((one) => [one.id, one]),
      ).values(),
    ];
    const offer = await this.queries.offer(best);
    const passages = best.filter((_, index) => offer?.numbers.includes(index + 1));
    return { questions, passages };
  }

  /**
   * Adds a passage of each document whose table answers a question, although none of its passages is relevant: the words of "How
   * many orders in May?" are in no row.
   *
   * @param searched the passages that the search found for each question
   */
  private async withTables(
    { questions, passages }: Found,
    searched: readonly (readonly FoundPassage[])[],
    language: Language,
  ): Promise<GroundedQuestions> {
    const asked = await Promise.all(
      questions.map(async (one, at) => {
        const { question, passages: relevant } = one;
        const ids = new Set(relevant.map(({ id }) => id));
        const all = [...relevant, ...(searched[at] ?? []).filter(({ id }) => !ids.has(id))];
        const numbers = all.map((_, index) => index + 1);
        const tables = await this.tables.find({ question, numbers }, all, language, relevant.length);
        const more = tables.flatMap((table) => {
          const number = citedTable(table, numbers, all, language)?.number ?? 0;
          return number > relevant.length ? (all[number - 1] ?? []) : [];
        });
        return { ...one, passages: [...relevant, ...more], tables, more };
      }),
    );
    const known = new Set(passages.map(({ id }) => id));
    const added = new Map(asked.flatMap(({ more }) => more).map((passage) => [passage.id, passage]));
    return {
      questions: asked,
      passages: [...passages, ...[...added.values()].filter(({ id }) => !known.has(id))],
    };
  }
}

/** The passages with the minimum score, or of a list, and those with the same words of the question. */
function relevantPassages(
  question: AnalyzedQuestion,
  passages: readonly FoundPassage[],
  minScore: number,
): readonly FoundPassage[] {
  const scored = passages.filter(({ score }) => score >= minScore);
  const relevant = scored.length > 0 ? scored : listedPassages(question, passages);
  // Passages with the same words of the question satisfy the same condition, as the rows of a list do.
  const wordsOf = ({ terms }: FoundPassage): string => [...terms].sort().join(' ');
  const words = new Set(relevant.map(wordsOf));
  words.delete('');
  return passages.filter((passage) => relevant.includes(passage) || words.has(wordsOf(passage)));
}

/**
 * The least relevance of a passage that an answer may be based on. An agent with the default leaves the decision to its chat
 * model, if it has one and must abstain without an answer.
 */
export function minScoreOf({
  agent,
  query,
  model,
}: {
  agent: Pick<AgentEntity, 'minScore' | 'restrictToSources'>;
  query: Pick<AgentQuery, 'minScore'>;
  model: ChatModel | null;
}): number {
  if (typeof query.minScore === 'number') return query.minScore;
  const isLeftToModel = model !== null && agent.restrictToSources && agent.minScore === RELEVANT;
  return isLeftToModel ? WORTH_ASKING : agent.minScore;
}

type Passage = Pick<FoundPassage, 'text' | 'terms'>;

/**
 * The passages that a command lists, although none has the word for what they are: "List all courses on Friday" finds "Fencing is
 * on Friday". They have all other words of the question, at least half of their weight, and are alike, as the entries of a list
 * are.
 *
 * @returns empty if the question is no command, or there is no such list
 */
export function listedPassages<P extends Passage>(question: AnalyzedQuestion, passages: readonly P[]): P[] {
  if (!question.isCommand) return [];
  const weights = [...question.weights].map(([term, weight]) => ({ id: termId(term), weight }));
  const known = weights.filter(({ id }) => passages.some(({ terms }) => terms.includes(id)));
  const isOneUnknown = known.length === weights.length - 1;
  const total = (list: typeof weights): number => list.reduce((sum, { weight }) => sum + weight, 0);
  if (!isOneUnknown || total(known) < total(weights) / 2) return [];
  const listed = passages.filter(({ terms }) => known.every(({ id }) => terms.includes(id)));
  const [first] = listed;
  if (first === undefined || listed.length < MIN_LISTED_PASSAGES) return [];
  const words = new Set(analyze(first.text));
  return listed.every(({ text }) => isAlike(words, new Set(analyze(text)))) ? listed : [];
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= ALIKE_SHARE * Math.min(a.size, b.size);
}

/** The questions of a message as they are searched, and what is searched if they find nothing. */
interface StandaloneQuestions {
  readonly questions: readonly AnalyzedQuestion[];
  /** Empty: nothing else. */
  readonly otherwise: readonly AnalyzedQuestion[];
}

/**
 * The questions of a message, each after the earlier questions of its conversation. A model rewrites a message that is not
 * the first. Rewriting is optional: a reply that is no rewrite of the message is not used, and the message itself is searched
 * if the reply finds nothing.
 *
 * @throws the signal's reason when it is aborted
 */
async function standaloneQuestions(
  message: AnalyzedQuestion,
  history: readonly Turn[],
  model: ChatModel | null,
  signal: AbortSignal,
): Promise<StandaloneQuestions> {
  const earlier = newestFirst(history, 'human').flatMap((text) => analyzedQuestions(text).toReversed());
  const questions = analyzedQuestions(message.text).map((question) => question.after(earlier));
  if (!model || history.length === 0) return { questions, otherwise: [] };
  const rewritten = await rewrite(message.text, history, model, signal);
  if (rewritten === null || !isRewriteOf(rewritten, message.text, history))
    return { questions, otherwise: [] };
  return { questions: analyzedQuestions(rewritten), otherwise: questions };
}

/** The questions or the answers of a conversation. */
function newestFirst(history: readonly Turn[], author: Turn['from']): string[] {
  return history
    .filter(({ from }) => from === author)
    .map(({ text }) => text)
    .toReversed();
}

/** The reply of the model; null if it fails, or replies with no question. */
async function rewrite(
  message: string,
  history: readonly Turn[],
  model: ChatModel,
  signal: AbortSignal,
): Promise<string | null> {
  const { system, user } = rewritePrompt(history, message);
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(REWRITE_TIMEOUT_MS)]);
  try {
    const reply = await readText(model, { messages, temperature: 0, maxTokens: REWRITE_TOKENS }, timeout);
    return querySchema.safeParse(reply.trim().slice(0, MAX_REWRITTEN_LENGTH)).data ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
