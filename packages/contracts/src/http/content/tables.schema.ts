import { z } from 'zod';
import { storedTextSchema, wholeNumberSchema } from '../fields.js';

const MAX_CONDITIONS = 20;
const MAX_VALUES = 100;
const MAX_VALUE_CHARACTERS = 1_000;
export const MAX_TABLE_ROWS = 200;

const cellValueSchema = z.union([storedTextSchema.max(MAX_VALUE_CHARACTERS), z.number()]);
const daySchema = z.iso.date('must be a date such as 2026-05-01');

/** A condition as it is in the source of an answer, or one of a person. It has one of the tests. */
export const tableConditionSchema = z
  .object({
    column: z.string().max(MAX_VALUE_CHARACTERS).describe('The name of the column.'),
    is: z
      .array(cellValueSchema)
      .min(1)
      .max(MAX_VALUES)
      .optional()
      .describe('The cell has one of these values. Capital letters and accents do not matter.'),
    is_not: z.array(cellValueSchema).min(1).max(MAX_VALUES).optional(),
    contains: storedTextSchema.min(1).max(MAX_VALUE_CHARACTERS).optional(),
    at_least: z.number().optional().describe('May stand beside `at_most`.'),
    at_most: z.number().optional(),
    within: z
      .array(z.object({ from: daySchema.optional(), to: daySchema.optional() }))
      .min(1)
      .max(MAX_VALUES)
      .optional()
      .describe('The cell is a date in one of these ranges. `to` is not part of the range.'),
  })
  .meta({ id: 'TableCondition' });
export type RowCondition = z.infer<typeof tableConditionSchema>;

export const tableRowsQuerySchema = z
  .object({
    conditions: z
      .array(tableConditionSchema)
      .max(MAX_CONDITIONS)
      .default([])
      .describe('All of them hold for a row. Without any, all rows match.'),
    show: z
      .enum(['matching', 'all'])
      .default('matching')
      .describe('`all` returns other rows, too, and those with totals.'),
    offset: wholeNumberSchema(0, 100_000_000).default(0),
    limit: wholeNumberSchema(1, MAX_TABLE_ROWS).default(50),
    revision: wholeNumberSchema(1, 2_147_483_647).optional().describe('Default: the serving revision.'),
  })
  .meta({
    examples: [{ conditions: [{ column: 'Customer', is: ['Acme Inc.'] }], limit: 20 }],
  });
export type TableRowsQuery = z.infer<typeof tableRowsQuerySchema>;

export const documentTableSchema = z
  .object({
    number: z.number().int().describe('Of the table in the document, from 1.'),
    name: z.string().describe('The title above the table, or the name of the sheet.'),
    sheet: z.string().optional(),
    page: z.number().int().optional(),
    rows: z.number().int().describe('Without those that are totals.'),
    totals: z.number().int().describe('Rows that are sums or averages of others.'),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['number', 'money', 'percent', 'date', 'time', 'text']),
        currency: z.string().optional().describe('ISO 4217, or the symbol of several currencies.'),
        unit: z.string().optional(),
        values: z.array(z.string()).optional().describe('All different texts of a column that has few.'),
      }),
    ),
  })
  .meta({ id: 'DocumentTable', description: 'A table of a document, with types for its columns.' });
export type DocumentTable = z.infer<typeof documentTableSchema>;

const figureSchema = z.number().nullable();

export const tableRowsSchema = z
  .object({
    revision: z.number().int(),
    count: z.number().int().describe('All rows that match, without those that are totals.'),
    rows: z.array(
      z.object({
        number: z.number().int().describe('Of the row in the sheet or the table, from 1.'),
        start: z.number().int().describe('Offset of the row in the text of the document.'),
        end: z.number().int(),
        matches: z.boolean(),
        is_total: z.boolean(),
        cells: z.array(z.string()).describe('As the document shows them. Long texts are truncated.'),
      }),
    ),
    has_more: z.boolean(),
    figures: z
      .array(
        z.object({
          column: z.string(),
          sum: figureSchema.describe('Null for percentages, which cannot be added.'),
          average: figureSchema,
          smallest: figureSchema,
          largest: figureSchema,
          currency: z.string().optional(),
          unit: z.string().optional(),
          reason: z
            .enum(['mixed_currencies', 'unread_cells'])
            .optional()
            .describe('Why there are no figures: several currencies, or cells that are no numbers.'),
        }),
      )
      .describe('Of the numeric columns, over all rows that match.'),
    undated: z
      .array(z.object({ column: z.string(), count: z.number().int() }))
      .describe('Columns of conditions with cells that could not be read as dates. Their rows do not match.'),
  })
  .meta({
    id: 'TableRows',
    examples: [
      {
        revision: 1,
        count: 12,
        rows: [
          {
            number: 4,
            start: 210,
            end: 244,
            matches: true,
            is_total: false,
            cells: ['2026-05-03', 'Acme Inc.', '€120.00'],
          },
        ],
        has_more: true,
        figures: [
          { column: 'Amount', sum: 1404, average: 117, smallest: 100.5, largest: 133.5, currency: 'EUR' },
        ],
        undated: [],
      },
    ],
  });
export type TableRows = z.infer<typeof tableRowsSchema>;
