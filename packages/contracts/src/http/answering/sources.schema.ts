import { z } from 'zod';
import { recognitionFields } from '../content/datasource-content.schema.js';

/** A source in the examples of the OpenAPI document. */
export const SOURCE_EXAMPLE = {
  chunk_id: '9b1f0c4e7a2d5e8f3c6b9a0d1e4f7c2b',
  datasource_id: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24',
  datasource_name: 'Pump P200',
  datasource_type: 'file',
  source: 'Pump P200',
  score: 0.87,
  text: 'The warranty lasts two years from the date of purchase. It does not cover seals or the power cord.',
  custom_id: 'manuals/p200.pdf',
  mime_type: 'application/pdf',
  page_number: 4,
  heading_path: ['Service', 'Warranty'],
  start: 5120,
  end: 5218,
  revision: 1,
  cited: true,
  quote: { start: 5120, end: 5175, text: 'The warranty lasts two years from the date of purchase.' },
};

export const quoteSchema = z
  .object({ start: z.number().int(), end: z.number().int(), text: z.string() })
  .meta({
    id: 'Quote',
    description:
      'The sentences of a passage that answer the question, with offsets like those of the passage.',
  });
export type Quote = z.infer<typeof quoteSchema>;

/** Documents with the same passage. */
export const copiesSchema = z
  .array(z.object({ datasource_id: z.string(), datasource_name: z.string() }))
  .describe('Other documents with the same passage, beyond the first two. They take no place of their own.');

export const tableQuerySchema = z
  .object({
    sql: z.string().describe('One `SELECT` of SQLite, which the model has written.'),
    tables: z
      .array(
        z.object({
          name: z.string().describe('As in `sql`.'),
          datasource_id: z.string(),
          datasource_name: z.string(),
          table: z.string().describe('The title above the table, or the name of the sheet.'),
          sheet: z.string().optional(),
          page: z.number().int().optional(),
        }),
      )
      .describe(
        'The tables that the query reads. Rows with totals are in a table of their own: `t1_totals`.',
      ),
    columns: z.array(
      z.object({
        name: z.string(),
        unit: z
          .string()
          .optional()
          .describe('Of all numbers of the column: a currency (`EUR`), `%`, or a unit (`kg`).'),
      }),
    ),
    rows: z
      .array(z.array(z.union([z.string(), z.number(), z.null()])))
      .describe('The rows that the model has received. Long texts are truncated.'),
    row_count: z
      .number()
      .int()
      .optional()
      .describe(
        'All rows of the query, also those that `rows` does not have. Absent if they could not be counted.',
      ),
  })
  .meta({ id: 'TableQuery', description: 'A query of tables that the answer of a model is based on.' });
export type TableQuery = z.infer<typeof tableQuerySchema>;

export const sourceTableSchema = z
  .object({
    number: z
      .number()
      .int()
      .optional()
      .describe('Of the table in the document, from 1: see `POST /datasources/{id}/tables/{number}/rows`.'),
    name: z.string().describe('The title above the table, or the name of the sheet.'),
    sheet: z.string().optional(),
    page: z.number().int().optional().describe('The page of the table, from 1.'),
    rows: z
      .number()
      .int()
      .describe('How many rows satisfy all conditions. Rows with totals are not counted.'),
    conditions: z.array(
      z.object({
        column: z.string(),
        is: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .describe('The cell has one of these values.'),
        within: z
          .array(z.object({ from: z.string(), to: z.string() }))
          .optional()
          .describe(
            'The cell is a date in one of these ranges, as `2026-05-01`. `to` is not part of the range.',
          ),
      }),
    ),
    unused_words: z
      .array(z.string())
      .optional()
      .describe(
        'Words of the question that no condition uses. The answer then also has the numbers of rows that do not satisfy a condition.',
      ),
    queries: z
      .array(tableQuerySchema)
      .optional()
      .describe('Of an answer of a model: its queries that read the table. `conditions` is then empty.'),
  })
  .meta({
    id: 'SourceTable',
    description:
      'Rows of a table that an answer counts and shows, by the values that the question names or by queries of a model.',
  });
export type SourceTable = z.infer<typeof sourceTableSchema>;

export const sourceSchema = z
  .object({
    chunk_id: z.string(),
    datasource_id: z.string(),
    datasource_name: z.string(),
    datasource_type: z.string(),
    title: z
      .string()
      .optional()
      .describe('Of a web page whose `datasource_name` is its address: its title, for people.'),
    source: z.string().describe('URL of the page, or name of the file.'),
    score: z.number().describe('0 to 1, higher is better.'),
    text: z.string(),
    custom_id: z.string().optional(),
    source_url: z.string().optional(),
    mime_type: z.string().optional(),
    page_number: z
      .number()
      .int()
      .optional()
      .describe('The page or slide on which the passage starts, from 1.'),
    ...recognitionFields,
    heading_path: z.array(z.string()).optional(),
    start: z.number().int(),
    end: z.number().int(),
    revision: z.number().int(),
    changed_at: z
      .string()
      .optional()
      .describe(
        'When the text of the document last changed, if in the seven days before the answer. Absent for a document that was only added.',
      ),
    cited: z.boolean().describe('Whether the answer cites this source.'),
    added: z
      .literal(true)
      .optional()
      .describe(
        'Of cited sources: the model did not cite it. The service found that it supports a sentence.',
      ),
    quote: quoteSchema
      .optional()
      .describe('Of cited sources: the sentences of `text` that answer the question, if such are found.'),
    table: sourceTableSchema
      .optional()
      .describe(
        'The rows of a table of the document that an answer without a model is about, or the queries of a model.',
      ),
    metadata: z.record(z.string(), z.unknown()).optional(),
    also_in: copiesSchema.optional(),
  })
  .meta({
    id: 'Source',
    description:
      'A passage that an answer may cite. The marker `[n]` in the answer refers to the n-th source. `start` and `end` are offsets, in UTF-16 code units, into the text of revision `revision` of the datasource. `text` is exactly this part of that text.',
    examples: [SOURCE_EXAMPLE],
  });
export type Source = z.infer<typeof sourceSchema>;

export const finishReasonSchema = z
  .enum(['stop', 'length', 'content_filter', 'refusal', 'tool_calls', 'error', 'no_model', 'model_failed'])
  .describe(
    'Why the answer ended. `stop`: it is complete. `length`: it reached a limit of tokens. `content_filter`: a filter of the model provider stopped it. `refusal`: the model declined to answer. `tool_calls`, `error`: the model stopped for another reason. After these, the answer ends with a sentence that says so. `no_model`, `model_failed`: the answer consists of quotes, because no model is configured, or because the model refused or did not answer; it begins with a sentence that says so, after `no_model` once a conversation.',
  );
export type FinishReason = z.infer<typeof finishReasonSchema>;

export const answerSentenceSchema = z
  .object({
    start: z.number().int(),
    end: z.number().int(),
    supported: z
      .boolean()
      .describe(
        'Whether the sources that the sentence cites contain most of its words, its names and its numbers, and deny like it. Without a citation: whether the service found such a source.',
      ),
    citations: z
      .array(
        z.object({
          number: z.number().int().describe('Of the source, from 1.'),
          added: z.boolean().describe('True: by the service, and not in `answer`. False: by the model.'),
        }),
      )
      .describe('Empty if the sentence cites nothing and no source supports it.'),
    contradiction: z
      .object({
        kind: z
          .enum(['number', 'negation'])
          .describe('What differs: a number, amount or date, or one denies what the other affirms.'),
        number: z.number().int().describe('Of the source, from 1.'),
        stated: z.string().describe('The number with its unit, or the sentence, in the answer.'),
        found: z.string().describe('What the source has in its place.'),
        sentence: z.string().describe('The sentence of the source.'),
      })
      .optional()
      .describe('Of a sentence that is not supported, because a source says otherwise.'),
    calculated: z
      .array(z.string())
      .optional()
      .describe(
        'Numbers of a supported sentence that the source does not have, but from whose numbers they are calculated: sums, differences, products, quotients, percentages.',
      ),
  })
  .meta({
    id: 'AnswerSentence',
    description: 'A sentence of an answer that states something. Offsets in UTF-16 code units into `answer`.',
  });
export type AnswerSentence = z.infer<typeof answerSentenceSchema>;

export const usageSchema = z
  .object({ inputTokens: z.number().int(), outputTokens: z.number().int() })
  .meta({ id: 'Usage', description: 'Tokens, as counted by the model provider.' });
export type Usage = z.infer<typeof usageSchema>;
