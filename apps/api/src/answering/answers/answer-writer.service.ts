import type { Config } from '@citewell/config';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { estimateTokens } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import {
  abstention,
  type AskedQuestion,
  assembleContext,
  modelFailedMessage,
  noModelMessage,
  passagesMessage,
  type QuotablePassage,
  type QuoteOptions,
  quoteAnswers,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { eventLoopTurn } from '../search/event-loop-turn.js';
import type { FoundPassage } from '../search/retriever.service.js';
import { ChunkReader } from '../search/chunk-reader.service.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import type { AnswerSink, OnText } from './answer-filters.js';
import { type CitedTable, citedTable, TableAnswers } from '../tables/table-answers.service.js';
import { TableQueries } from '../tables/table-queries.service.js';
import { toContextPassage, writeModelAnswer, type WrittenAnswer } from './model-answer.js';
import type { AnswerContext, GroundedQuestion } from './grounding.service.js';

/** A written answer, the passages that it is based on, and how many did not fit. */
export type GroundedAnswer = WrittenAnswer & { passages: FoundPassage[]; leftOut?: number };

/** Writes answers from the passages that were found. */
@Injectable()
export class AnswerWriter {
  constructor(
    @Inject(ChunkReader) private readonly chunks: Pick<ChunkReader, 'readAbove'>,
    @Inject(TableAnswers) private readonly tables: Pick<TableAnswers, 'find'>,
    @Inject(TableQueries) private readonly queries: Pick<TableQueries, 'offer'>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Writes the answer with the model, or quotes of the passages. */
  async write(
    prepared: PreparedAnswer,
    { passages: candidates, questions, overview, language }: AnswerContext,
    sink: AnswerSink,
    signal: AbortSignal,
  ): Promise<GroundedAnswer> {
    await eventLoopTurn();
    if (overview) {
      const { answer, ...written } = overview;
      sink.onPassages(written.passages);
      for (const paragraph of answer.split(/(?<=\n\n)/)) await sink.onText(paragraph);
      return written;
    }
    const { model, question, task, modelFailure, agent } = prepared;
    const maxTokens = this.config.CONTEXT_TOKENS;
    if (model) {
      const written = await writeModelAnswer(
        { ...prepared, model, language, offerTables: (passages) => this.queries.offer(passages) },
        candidates,
        maxTokens,
        sink,
        signal,
      );
      if (written.leftOut > 0) this.warnOfLeftOut(prepared, written.leftOut);
      return written;
    }
    const finishReason = modelFailure ? 'model_failed' : 'no_model';
    if (modelFailure)
      this.logger.warn(
        { err: modelFailure, agentId: agent.id },
        'the model failed, so the answer consists of quotes',
      );
    if (task?.reply) {
      await sink.onText(task.reply);
      return { cited: new Set(), passages: [], finishReason };
    }
    // Quotes need no exact count, and without it the tokenizer's tables (70 MB) are not loaded.
    const { passages } = assembleContext(candidates.map(toContextPassage), {
      maxTokens,
      countTokens: estimateTokens,
    });
    if (passages.length > 0) {
      sink.onPassages(passages);
      const quoted = await this.quote(
        questions,
        passages,
        { language, introduction: introductionOf(prepared) },
        sink.onText,
      );
      return { ...quoted, passages, finishReason };
    }
    if (modelFailure) throw modelFailure;
    await sink.onText(abstention(question.text, language));
    return { cited: new Set(), passages, finishReason, isAbstained: true };
  }

  private warnOfLeftOut({ model, agent }: PreparedAnswer, leftOut: number): void {
    this.logger.warn(
      { model: model?.name, agentId: agent.id, leftOut },
      'The prompt exceeds the context of the model, so it has fewer passages. Use a model with a longer context, or lower CONTEXT_TOKENS.',
    );
  }

  /** Writes quotes of the passages that answer the questions. */
  async quote(
    questions: readonly GroundedQuestion[],
    found: readonly FoundPassage[],
    around: AroundQuotes,
    onText: OnText,
  ): Promise<WrittenAnswer> {
    const { language } = around;
    const passages = found.map((passage) => ({ ...passage, documentName: passage.run.datasourceName }));
    const asked = await Promise.all(
      numbered(questions, passages).map(async (one, index) => {
        const tables = questions[index]?.tables ?? (await this.tables.find(one, found, language));
        return {
          ...one,
          tables: tables.flatMap((table) => citedTable(table, one.numbers, found, language) ?? []),
        };
      }),
    );
    // What stands above a passage does not change which ones are quoted.
    const quoted = new Set(quoteAnswers(asked, passages).quotes.map(({ number }) => number));
    const withTextAbove = await Promise.all(
      passages.map(async (passage, index) =>
        quoted.has(index + 1) ? { ...passage, textAbove: await this.chunks.readAbove(passage) } : passage,
      ),
    );
    return writeQuotes(asked, withTextAbove, around, onText);
  }
}

/** What stands around quotes. */
interface AroundQuotes extends Required<Pick<QuoteOptions, 'language'>> {
  readonly introduction: typeof passagesMessage;
}

/** Says once a conversation that there is no model, and always that it has failed. Visitors need not know of models. */
function introductionOf({
  visitorToken,
  modelFailure,
  knowsNoModel,
}: Pick<PreparedAnswer, 'visitorToken' | 'modelFailure' | 'knowsNoModel'>): typeof passagesMessage {
  if (visitorToken !== null) return passagesMessage;
  if (modelFailure) return modelFailedMessage;
  return knowsNoModel ? passagesMessage : noModelMessage;
}

/** The questions with the numbers of the passages that contain what was found for them. */
function numbered(
  questions: readonly GroundedQuestion[],
  passages: readonly FoundPassage[],
): AskedQuestion[] {
  const numberOf = ({ runId, start, end }: FoundPassage): number =>
    passages.findIndex((slice) => slice.runId === runId && slice.start < end && start < slice.end) + 1;
  return questions.map(({ question, corrections, passages: found }) => ({
    question,
    corrections,
    numbers: [...new Set(found.map(numberOf))].filter((number) => number > 0),
  }));
}

/** A question with what tables have for it. */
type AskedTables = AskedQuestion & { readonly tables?: readonly CitedTable[] };

/** Writes an answer without a model: rows of tables and quotes of the best passages, or an abstention. */
export async function writeQuotes(
  questions: readonly AskedTables[],
  passages: readonly QuotablePassage[],
  { language, introduction }: AroundQuotes,
  onText: OnText,
): Promise<WrittenAnswer> {
  const tables = questions.flatMap((asked) => asked.tables ?? []).toReversed();
  const firstLine = introduction(language, tables.length > 0);
  const { answer, quotes, cited } = quoteAnswers(questions, passages, { language, firstLine });
  // In pieces, so that clients receive a stream with and without a model.
  for (const paragraph of answer.split(/(?<=\n\n)/)) await onText(paragraph);
  // A passage that answers several questions has the quote of the first one.
  const byNumber = new Map(
    [
      ...tables.flatMap(({ number, quote }) => (quote ? [{ number, ...quote }] : [])),
      ...quotes.toReversed(),
    ].map(({ number, start, end, text: quote }) => [number, { start, end, text: quote }]),
  );
  return {
    cited,
    quotes: byNumber,
    ...(tables.length > 0 ? { tables: new Map(tables.map(({ number, source }) => [number, source])) } : {}),
  };
}
