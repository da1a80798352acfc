import type { AgentAnswer, SourceTable } from '@citewell/contracts/schemas';
import { ConversationRepository, isDatabaseFull } from '@citewell/database';
import { FullStorage, withLogContext } from '@citewell/observability';
import { ModelError } from '@citewell/models';
import {
  abstention,
  type AlignablePassage,
  type AnalyzedQuestion,
  type Language,
  passagesMessage,
  quoteCitations,
  tableEvidence,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ModelUsage, TokenMeter } from '../../models/model-usage.service.js';
import { readingModel } from '../../models/chosen-chat-models.js';
import { eventLoopTurn } from '../search/event-loop-turn.js';
import { toSource } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { AnswerLimits } from './answer-limits.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { type AnswerSupport, isUnsupported, supportOf } from './answer-support.js';
import { type AnswerHooks, type AnswerSink, answerTextOf, type OnText } from './answer-filters.js';
import { type GroundedAnswer, AnswerWriter } from './answer-writer.service.js';
import { Grounding } from './grounding.service.js';
import { isEndedByClient } from './abort-reasons.js';
import { hashOfToken } from './visits.service.js';

/** Of an answer that consists of quotes, or abstains. */
const NOT_COMPARED: AnswerSupport = { added: new Set(), annotated: '' };

/** Answers agents' queries. */
@Injectable()
export class AnswersService {
  constructor(
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(Grounding) private readonly grounding: Grounding,
    @Inject(AnswerWriter) private readonly writer: AnswerWriter,
    @Inject(AnswerLimits) private readonly limits: AnswerLimits,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(ModelUsage) private readonly usage: Pick<ModelUsage, 'count'>,
  ) {}

  /**
   * Retrieves passages, writes the answer and stores both messages, unless the client keeps the conversation itself or
   * the database is full. Call it once per prepared answer.
   *
   * @param onPiece receives the text of the answer as it is written, in pieces that are not empty
   */
  answer(
    prepared: PreparedAnswer,
    onPiece: OnText,
    signal: AbortSignal,
    hooks: AnswerHooks = {},
  ): Promise<AgentAnswer> {
    const { tenant, agent, messageId, model } = prepared;
    const { organizationId } = tenant;
    return withLogContext({ organizationId, agentId: agent.id, messageId }, () =>
      readingModel(model ?? {}, () => this.write(prepared, onPiece, signal, hooks)),
    );
  }

  private async write(
    unmetered: PreparedAnswer,
    onPiece: OnText,
    signal: AbortSignal,
    hooks: AnswerHooks,
  ): Promise<AgentAnswer> {
    const meter = new TokenMeter();
    const prepared = { ...unmetered, model: unmetered.model && meter.wrap(unmetered.model) };
    let isCharged = true;
    try {
      return await this.writeOrQuote(prepared, onPiece, signal, hooks);
    } catch (error) {
      // Failures of the server are not charged.
      isCharged = isEndedByClient(signal);
      if (!isCharged) await this.limits.refund(prepared.tenant);
      throw error;
    } finally {
      await this.count(prepared, meter, isCharged);
    }
  }

  /** If the model fails before anything of its answer was sent, the answer is that of an agent without a model. */
  private async writeOrQuote(
    prepared: PreparedAnswer,
    onPiece: OnText,
    signal: AbortSignal,
    hooks: AnswerHooks,
  ): Promise<AgentAnswer> {
    let wasSent = false;
    const send: OnText = (piece) => {
      wasSent = true;
      return onPiece(piece);
    };
    const onRetract = (): void => {
      wasSent = false;
      hooks.onRetract?.();
    };
    try {
      return await this.writeAndStore(prepared, send, signal, { ...hooks, onRetract });
    } catch (error) {
      if (!(error instanceof ModelError) || wasSent || prepared.needsModel) throw error;
      return this.writeAndStore({ ...prepared, model: null, modelFailure: error }, onPiece, signal, hooks);
    }
  }

  private async writeAndStore(
    prepared: PreparedAnswer,
    onPiece: OnText,
    signal: AbortSignal,
    hooks: AnswerHooks,
  ): Promise<AgentAnswer> {
    const context = await this.grounding.find(prepared, signal);
    const { passages, questions, isAbstained, language, changes } = context;
    let answer = answerTextOf(passages);
    const send: OnText = async (piece) => (piece === '' ? undefined : onPiece(piece));
    // An answer that quotes may replace is not sent before it is complete.
    const isHeld = prepared.model !== null && !isAbstained && prepared.agent.onUnsupported === 'quote';
    const sendNow: OnText = isHeld ? async () => undefined : send;
    const onText: OnText = async (text) => sendNow(answer.push(text));
    const sink: AnswerSink = {
      onText,
      onPassages: (shown) => hooks.onPassages?.(shown),
      onRetract: () => {
        answer = answerTextOf(passages);
        hooks.onRetract?.();
      },
    };
    // Nothing was found for quotes, but perhaps for a model.
    if (isAbstained && prepared.modelFailure) throw prepared.modelFailure;
    let written = isAbstained
      ? await abstain(prepared.question.text, language, onText)
      : await this.writer.write(prepared, context, sink, signal);
    await sendNow(answer.flush());
    const asked = questions.map(({ question }) => question);
    await eventLoopTurn();
    let support =
      written.quotes || written.isAbstained
        ? NOT_COMPARED
        : supportOf(
            asked,
            answer.text,
            written.passages.map(toEvidence),
            written.notice,
            toResults(asked, written.tables),
          );
    if (isHeld && isUnsupported(support)) {
      answer = answerTextOf(passages);
      support = NOT_COMPARED;
      // A stopped answer is what was shown: nothing.
      if (!written.isStopped) {
        const inPieces: OnText = async (text) => send(answer.push(text));
        const around = { language, introduction: passagesMessage };
        const quoted = await this.writer.quote(questions, written.passages, around, inPieces);
        await send(answer.flush());
        const { passages: used, usage, leftOut } = written;
        written = { ...quoted, passages: used, ...(usage && { usage }), ...(leftOut && { leftOut }) };
      }
    } else if (isHeld) await send(answer.text);
    const { cited, tables, quotes = quoteCitations(asked, support.annotated, written.passages) } = written;
    const sources = written.passages.map((passage, index) => {
      const number = index + 1;
      const added = support.added.has(number);
      return toSource(passage, {
        cited: added || cited.has(number),
        added,
        quote: quotes.get(number),
        table: tables?.get(number),
        changedAt: changes.get(passage.run.datasourceId),
      });
    });
    const { usage, finishReason = 'stop', leftOut = 0 } = written;
    const stored = await this.store(prepared, {
      text: answer.text,
      sources,
      isAbstained: written.isAbstained ?? false,
      finishReason,
      usage,
      leftOut,
      sentences: support.sentences,
    });
    return { ...stored, ...(written.isStopped ? { state: 'stopped' } : {}) };
  }

  /** Gives back the slot, the reservation and the query of a prepared answer that is not written. */
  async giveBack(prepared: PreparedAnswer): Promise<void> {
    prepared.releaseSlot();
    await this.count(prepared, new TokenMeter(), false);
    await this.limits.refund(prepared.tenant);
  }

  /** Also ends the reservation of the question. */
  private async count(
    { tenant, agent, model, reservationId }: PreparedAnswer,
    meter: TokenMeter,
    isCharged: boolean,
  ): Promise<void> {
    const use = { tenant, agentId: agent.id, model: model?.name ?? '', isCharged, reservationId };
    await this.usage.count(use, meter);
  }

  private async store(
    { tenant, agent, query, questionId, messageId, ...prepared }: PreparedAnswer,
    {
      text,
      sources,
      isAbstained,
      finishReason,
      usage,
      leftOut,
      sentences,
    }: Pick<AgentAnswer, 'sources' | 'finishReason' | 'usage' | 'sentences'> & {
      text: string;
      isAbstained: boolean;
      leftOut: number;
    },
  ): Promise<AgentAnswer> {
    const { conversationId, visitorId, visitorToken, isStored } = prepared;
    const answer: AgentAnswer = {
      answer: text,
      conversationId,
      visitorId,
      sources,
      messageId,
      abstained: isAbstained,
      finishReason,
      ...(leftOut > 0 ? { passagesLeftOut: leftOut } : {}),
      ...(sentences ? { sentences } : {}),
      ...(usage ? { usage } : {}),
    };
    if (!isStored) return answer;
    try {
      await this.conversations.append(
        tenant,
        {
          agentId: agent.id,
          externalId: conversationId,
          visitorId,
          visitorTokenHash: visitorToken === null ? null : hashOfToken(visitorToken),
        },
        {
          question: { id: questionId, text: query.query },
          answer: {
            id: messageId,
            text,
            sources,
            abstained: isAbstained,
            finishReason,
            sentences: sentences ?? null,
          },
        },
      );
    } catch (error) {
      if (!isDatabaseFull(error)) throw error;
      this.storage.report();
      return { ...answer, stored: false };
    }
    return answer;
  }
}

/** A passage with the name of its document, which its sentences may leave out. */
function toEvidence({ text, headingPath, run }: FoundPassage): AlignablePassage {
  return { text, headingPath, datasourceName: run.datasourceName };
}

/** What the queries of a model gave, by the number of the passage that is cited for them. */
function toResults(
  questions: readonly AnalyzedQuestion[],
  tables: ReadonlyMap<number, SourceTable> = new Map(),
): Map<number, string> {
  return new Map(
    Array.from(tables, ([number, { queries = [] }]) => [
      number,
      queries
        .map(({ sql, tables: read, columns, rows, row_count: rowCount }) => {
          const names = read.flatMap(({ datasource_name, table }) => [datasource_name, table]);
          return tableEvidence(questions, { sql, names, columns, rows, rowCount });
        })
        .join('\n'),
    ]),
  );
}

async function abstain(question: string, language: Language, onText: OnText): Promise<GroundedAnswer> {
  await onText(abstention(question, language));
  return { cited: new Set(), passages: [], isAbstained: true };
}
