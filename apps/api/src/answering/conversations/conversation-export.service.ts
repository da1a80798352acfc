import { pipeline, Readable } from 'node:stream';
import {
  type ConversationFilter,
  ConversationRepository,
  type ExportedAnswer,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify';

/** Answers per query: memory stays constant, however many there are. */
const BATCH_SIZE = 100;

const COLUMNS = {
  time: 'time',
  agentId: 'agent id',
  conversationId: 'conversation id',
  question: 'question',
  answer: 'answer',
  abstained: 'abstained',
  rating: 'rating',
  comment: 'comment',
  sources: 'sources',
  state: 'state',
  unsupported: 'unsupported sentences',
} as const;

type Row = Record<keyof typeof COLUMNS, string>;

/** Exports conversations for spreadsheets. */
@Injectable()
export class ConversationExportService {
  constructor(@Inject(ConversationRepository) private readonly conversations: ConversationRepository) {}

  /**
   * CSV (RFC 4180) in UTF-8, one row per answer. Cells that a spreadsheet would run as a formula begin with an
   * apostrophe: visitors write questions and comments.
   */
  export(tenant: TenantScope, filter: ConversationFilter): Readable {
    const csv = stringify({
      header: true,
      columns: COLUMNS,
      // Excel takes files without a byte order mark for another encoding.
      bom: true,
      record_delimiter: 'windows',
      escape_formulas: true,
      // Otherwise a cell with a lone line feed is not quoted.
      quoted: true,
    });
    // An error destroys the last stream, whose reader handles it.
    return pipeline(Readable.from(this.rows(tenant, filter)), csv, () => undefined);
  }

  private async *rows(tenant: TenantScope, filter: ConversationFilter): AsyncGenerator<Row> {
    let answers = await this.conversations.answers(tenant, filter, BATCH_SIZE);
    while (answers.length > 0) {
      for (const { createdAt, externalId, abstained, rating, comment, sources, state, ...answer } of answers)
        yield {
          time: createdAt.toISOString(),
          agentId: answer.agentId,
          conversationId: externalId,
          question: answer.question,
          answer: answer.answer,
          abstained: abstained ? 'yes' : 'no',
          rating: rating ?? '',
          comment: comment ?? '',
          sources: [...new Set(sources)].join('\n'),
          state,
          unsupported: unsupportedOf(answer).join('\n'),
        };
      answers = await this.conversations.answers(tenant, filter, BATCH_SIZE, answers.at(-1));
    }
  }
}

/** The sentences of an answer that no passage supports. */
function unsupportedOf({ answer, sentences }: Pick<ExportedAnswer, 'answer' | 'sentences'>): string[] {
  return (sentences ?? []).flatMap(({ start, end, supported }) =>
    supported ? [] : [answer.slice(start, end)],
  );
}
