import { z } from 'zod';
import {
  dateSchema,
  idSchema,
  lineSchema,
  MAX_NAME_LENGTH,
  wholeNumberParameterSchema,
  wholeNumberSchema,
} from '../fields.js';

export const usageReportSchema = z
  .object({
    month: z.string().describe('`YYYY-MM`'),
    agentQueries: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
    storedCharacters: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
  })
  .meta({ id: 'UsageReport', description: 'A `limit` of null means no limit.' });
export type UsageReport = z.infer<typeof usageReportSchema>;

export const usageHistoryQuerySchema = z.object({ months: wholeNumberParameterSchema(1, 60).default(12) });
export type UsageHistoryQuery = z.infer<typeof usageHistoryQuerySchema>;

export const monthlyUsageSchema = z
  .object({
    month: z.string().describe('`YYYY-MM` in UTC.'),
    agentQueries: z.number().int(),
    inputTokens: z.number().int().describe('Of answers, as `GET /usage/breakdown` counts them.'),
    outputTokens: z.number().int(),
    storedCharacters: z
      .number()
      .int()
      .nullable()
      .describe('Now, or at the last agent query of a past month. Null if there was none.'),
  })
  .meta({ id: 'MonthlyUsage', description: 'What the organization has used in one month (UTC).' });
export type MonthlyUsage = z.infer<typeof monthlyUsageSchema>;

/** Who has asked: a person, a program with a key, visitors of pages with a publishable key, or an evaluation. */
export const USAGE_ACTORS = ['person', 'key', 'visitors', 'system'] as const;
export const BUDGET_SUBJECTS = ['organization', 'person', 'agent'] as const;
export const BUDGET_MEASURES = ['questions', 'tokens', 'cost'] as const;

const MAX_PRICES = 200;
const MAX_BUDGETS = 500;

/** A decimal number as text, because a floating-point number is not exact. */
export const decimalSchema = z
  .string()
  .regex(
    /^\d{1,12}(?:\.\d{1,6})?$/,
    'must be a decimal number as text, such as "0.15", with at most 6 decimals',
  );

const costSchema = z.object({ currency: z.string(), amount: z.string().describe('A decimal number.') });

export const usageTotalsSchema = z
  .object({
    questions: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    estimatedTokens: z
      .number()
      .int()
      .describe('Those of both that were counted by Citewell, because the provider did not report them.'),
    costs: z
      .array(costSchema)
      .describe('By the prices at the time of each answer, one per currency. Without the tokens below.'),
    unpricedTokens: z.number().int().describe('Tokens of models without a price: their cost is not known.'),
  })
  .meta({ id: 'UsageTotals', description: 'What was used.' });
export type UsageTotals = z.infer<typeof usageTotalsSchema>;

export const usageShareSchema = usageTotalsSchema
  .extend({
    kind: z.enum([...USAGE_ACTORS, 'agent', 'day']),
    id: z
      .string()
      .nullable()
      .describe(
        'Of the person, key or agent; `YYYY-MM-DD` of a day. Null: Citewell itself or, of an agent, tests of models.',
      ),
    name: z.string().nullable().describe('As it is now. Null if it is gone, and for days.'),
  })
  .meta({
    id: 'UsageShare',
    description: 'What one person, key or agent has used, or what was used on one day.',
  });
export type UsageShare = z.infer<typeof usageShareSchema>;

const daysSchema = z.object({
  from: dateSchema.optional().describe('The first day (UTC). Default: the first of this month.'),
  to: dateSchema.optional().describe('The last day (UTC). Default: today.'),
});
const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from === undefined || to === undefined || from <= to;
const IN_ORDER = { path: ['to'], error: 'must not be before from' };

export const ownUsageQuerySchema = daysSchema.refine(inOrder, IN_ORDER);
export type OwnUsageQuery = z.infer<typeof ownUsageQuerySchema>;

export const usageBreakdownQuerySchema = daysSchema
  .extend({ by: z.enum(['person', 'agent', 'day']).default('person') })
  .refine(inOrder, IN_ORDER);
export type UsageBreakdownQuery = z.infer<typeof usageBreakdownQuerySchema>;

export const modelPricesSchema = z
  .object({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a code of three capital letters, such as EUR')
      .describe('ISO 4217'),
    models: z
      .array(
        z.object({
          model: lineSchema
            .min(1)
            .max(MAX_NAME_LENGTH)
            .describe('The name at the provider, as `GET /models` has it.'),
          inputPerMillion: decimalSchema,
          outputPerMillion: decimalSchema,
        }),
      )
      .max(MAX_PRICES)
      .refine(
        (models) => new Set(models.map(({ model }) => model)).size === models.length,
        'must name each model once',
      ),
  })
  .meta({
    id: 'ModelPrices',
    examples: [
      {
        currency: 'EUR',
        models: [{ model: 'mistral-small', inputPerMillion: '0.1', outputPerMillion: '0.3' }],
      },
    ],
  });
export type ModelPrices = z.infer<typeof modelPricesSchema>;

export const modelPricesStateSchema = modelPricesSchema
  .extend({ currency: z.string().nullable().describe('Null without prices.') })
  .meta({
    id: 'ModelPricesState',
    examples: [
      {
        currency: 'EUR',
        models: [{ model: 'mistral-small', inputPerMillion: '0.1', outputPerMillion: '0.3' }],
      },
    ],
  });
export type ModelPricesState = z.infer<typeof modelPricesStateSchema>;

const budgetSchema = z.object({
  subject: z.enum(BUDGET_SUBJECTS),
  subjectId: idSchema
    .nullable()
    .default(null)
    .describe('Of the person or agent. Null: of the organization, or of each person or agent.'),
  measure: z.enum(BUDGET_MEASURES),
  amount: decimalSchema.describe('Of a month (UTC). A cost is in the currency of the prices.'),
  warnPercent: wholeNumberSchema(1, 100).default(80),
});

export const budgetsSchema = z
  .object({
    budgets: z
      .array(budgetSchema)
      .max(MAX_BUDGETS)
      .superRefine((budgets, { addIssue }) => {
        for (const [index, { subject, subjectId }] of budgets.entries())
          if (subject === 'organization' && subjectId !== null)
            addIssue({
              code: 'custom',
              path: [index, 'subjectId'],
              message: 'must be null for the organization',
            });
        const keys = budgets.map(({ subject, subjectId, measure }) => `${subject} ${subjectId} ${measure}`);
        if (new Set(keys).size < keys.length)
          addIssue({
            code: 'custom',
            path: [],
            message: 'must have one budget for each subject and measure',
          });
      }),
  })
  .meta({
    id: 'Budgets',
    examples: [
      {
        budgets: [
          { subject: 'organization', subjectId: null, measure: 'cost', amount: '100', warnPercent: 80 },
        ],
      },
    ],
  });
export type Budgets = z.infer<typeof budgetsSchema>;

export const budgetStateSchema = budgetSchema
  .extend({
    id: z.string(),
    subjectId: z.string().nullable(),
    warnPercent: z.number().int(),
    name: z
      .string()
      .nullable()
      .describe('Of the subject; for each person or agent, of the one that used most.'),
    used: z.string().describe('In this month. For each person or agent, by the one that used most.'),
    unpricedTokens: z.number().int().describe('Of a budget of costs: tokens whose cost is not known.'),
    state: z.enum(['ok', 'warning', 'reached']),
  })
  .meta({
    id: 'BudgetState',
    examples: [
      {
        id: '0199c7a3-9f2c-7e7b-8a28-7c0d4e6f1b6a',
        subject: 'organization',
        subjectId: null,
        measure: 'cost',
        amount: '100',
        warnPercent: 80,
        name: null,
        used: '81.25',
        unpricedTokens: 0,
        state: 'warning',
      },
    ],
  });
export type BudgetState = z.infer<typeof budgetStateSchema>;
