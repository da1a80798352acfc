import { z } from 'zod';
import {
  customIdSchema,
  idSchema,
  nameSchema,
  numberSchema,
  querySchema,
  storedTextSchema,
  wholeNumberSchema,
} from '../fields.js';

export const MAX_EVALUATION_QUESTIONS = 2_000;
const MAX_EXPECTED = 20;
const MAX_EXPECTED_LENGTH = 2_000;
const MAX_DOCUMENTS = 1_000;
const MAX_CSV_LENGTH = 3_000_000;

const QUESTION_EXAMPLE = { question: 'How long is the warranty of the pump?', expected: ['two years'] };

const isAnswerable = (question: { answerable?: boolean | undefined }): boolean =>
  question.answerable !== false;
const hasAnswer = (question: { expected?: unknown[] | undefined; documents?: object | undefined }): boolean =>
  (question.expected ?? []).length > 0 || Object.keys(question.documents ?? {}).length > 0;

export const evaluationQuestionSchema = z
  .object({
    question: querySchema,
    expected: z
      .array(storedTextSchema.trim().min(1).max(MAX_EXPECTED_LENGTH))
      .max(MAX_EXPECTED)
      .optional()
      .describe(
        'A passage is right if it contains one of these texts. Upper and lower case and white space do not matter.',
      ),
    documents: z
      .record(customIdSchema.min(1), numberSchema(0, 1_000))
      .refine(
        (documents) => Object.keys(documents).length <= MAX_DOCUMENTS,
        `must have at most ${MAX_DOCUMENTS} entries`,
      )
      .optional()
      .describe(
        'Custom id, id, name or address of a document, with its grade; grade 0 is not relevant. A passage is right if it belongs to a relevant document and, if `expected` is given, contains one of its texts.',
      ),
    answerable: z
      .boolean()
      .optional()
      .describe('False: the documents have no answer, and an agent should abstain. Default: true.'),
  })
  .refine((question) => !isAnswerable(question) || hasAnswer(question), {
    path: ['expected'],
    message: 'is missing: give `expected` or `documents`, or set `answerable` to false',
  })
  .refine((question) => isAnswerable(question) || !hasAnswer(question), {
    path: ['answerable'],
    message: 'must not be false, because the question has an expected text or document',
  })
  .meta({
    id: 'EvaluationQuestion',
    description: 'A question of a set, with what a right passage contains, or where it is.',
    examples: [QUESTION_EXAMPLE],
  });
export type EvaluationQuestion = z.infer<typeof evaluationQuestionSchema>;

export const evaluationConfigurationSchema = z
  .object({
    agentId: idSchema.optional().describe('Asks this agent, and measures its answers, too.'),
    datastoreId: idSchema.optional().describe('Searches this datastore alone.'),
    topK: wholeNumberSchema(1, 100).optional().describe('Default: that of the agent.'),
    minScore: numberSchema(0, 1).optional().describe('Default: that of the agent, or 0.5 for a datastore.'),
  })
  .refine(
    ({ agentId, datastoreId }) => (agentId === undefined) !== (datastoreId === undefined),
    'must have either agentId or datastoreId',
  )
  .meta({ id: 'EvaluationConfiguration', description: 'Either an agent or a datastore.' });
export type EvaluationConfiguration = z.infer<typeof evaluationConfigurationSchema>;

export const createEvaluationSchema = z
  .object({
    name: nameSchema.optional(),
    configuration: evaluationConfigurationSchema,
    baseline: evaluationConfigurationSchema
      .optional()
      .describe('Answers the same questions, and is compared with `configuration` question by question.'),
    questions: z.array(evaluationQuestionSchema).min(1).max(MAX_EVALUATION_QUESTIONS).optional(),
    csv: z
      .string()
      .max(MAX_CSV_LENGTH)
      .optional()
      .describe(
        'Instead of `questions`: a table with the columns `question`, `expected`, `document` and `answerable` (yes or no). Several texts or documents of a question are separated by ` | `.',
      ),
  })
  .refine(({ questions, csv }) => (questions === undefined) !== (csv === undefined), {
    path: ['questions'],
    message: 'is missing: give either `questions` or `csv`',
  })
  .meta({
    id: 'CreateEvaluation',
    description: 'Has either `questions` or `csv`.',
    examples: [
      {
        name: 'Warranty',
        configuration: { agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03' },
        baseline: { agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03', minScore: 0.7 },
        questions: [QUESTION_EXAMPLE, { question: 'Do you sell bicycles?', answerable: false }],
      },
    ],
  });
export type CreateEvaluation = z.infer<typeof createEvaluationSchema>;

/** Every measure of an evaluation; see docs/measure-your-content.md. */
export const EVALUATION_MEASURES = [
  'recallAt1',
  'recallAt3',
  'recallAt10',
  'mrr',
  'ndcgAt10',
  'citedRight',
  'wronglyRefused',
  'recognised',
] as const;
export const evaluationMeasureSchema = z.enum(EVALUATION_MEASURES);
export type EvaluationMeasure = z.infer<typeof evaluationMeasureSchema>;

export const estimateSchema = z
  .object({
    value: z.number(),
    low: z.number().describe('Lower end of the 95 % confidence interval.'),
    high: z.number(),
    count: z.number().int().describe('Questions that the measure is computed from.'),
  })
  .meta({ id: 'Estimate', description: 'A mean with its 95 % confidence interval.' });

const ESTIMATE_EXAMPLE = { value: 0.8, low: 0.72, high: 0.87, count: 120 };

export const minimumScorePointSchema = z
  .object({
    minScore: z.number(),
    refused: z
      .number()
      .describe('Share of the questions with an answer whose best passage has a lower score.'),
    recognised: z.number().describe('The same of the questions without an answer.'),
  })
  .meta({ id: 'MinimumScorePoint', description: 'The shares of refused questions at a minimum score.' });

export const sideResultSchema = z
  .object({
    measures: z
      .record(evaluationMeasureSchema, estimateSchema.nullable())
      .describe('Null if no question of the set has this measure.'),
    minScore: z.number().describe('The minimum score that was used.'),
    missingDocuments: z
      .object({ count: z.number().int(), names: z.array(z.string()).describe('The first 20.') })
      .describe(
        'Expected documents that are not in the searched datastores, which count as not found. Addresses are not checked.',
      ),
    curve: z.array(minimumScorePointSchema).describe('What other minimum scores would refuse.'),
    proposedMinScore: minimumScorePointSchema
      .nullable()
      .describe(
        'The minimum score that recognises the most questions without an answer while at most 5 % of the others are refused. Null with fewer than 20 questions with an answer, or 10 without.',
      ),
  })
  .meta({ id: 'EvaluationResult', description: 'The figures of one configuration.' });
export type EvaluationSideResult = z.infer<typeof sideResultSchema>;

export const differenceSchema = z
  .object({
    value: z.number().describe('The value of `configuration` minus that of `baseline`.'),
    low: z.number(),
    high: z.number(),
    p: z
      .number()
      .describe(
        'Probability of a difference at least as large if both were equally good (randomization test).',
      ),
    better: z.number().int().describe('Questions with a higher value.'),
    worse: z.number().int().describe('Questions with a lower value.'),
    equal: z.number().int(),
    isSignificant: z
      .boolean()
      .describe(
        'Of `ndcgAt10`, `citedRight`, `wronglyRefused` and `recognised` together, at a level of 5 % (Holm). Other measures are not tested.',
      ),
  })
  .meta({
    id: 'EvaluationDifference',
    description: 'The value of the configuration minus that of the baseline.',
  });

const comparisonSchema = z
  .object({
    differences: z.record(evaluationMeasureSchema, differenceSchema.nullable()),
    verdict: z
      .enum(['worse', 'better', 'no-difference'])
      .describe('`worse` if any tested measure is significantly worse than that of the baseline.'),
  })
  .meta({ id: 'EvaluationComparison' });
export type EvaluationComparison = z.infer<typeof comparisonSchema>;

export const evaluationOutcomeSchema = z
  .object({
    rank: z.number().int().nullable().describe('Of the first right passage. Null if there is none.'),
    score: z.number().describe('Of the best passage; 0 without one.'),
    refused: z.boolean().describe('The agent abstained, or no passage reaches the minimum score.'),
    values: z
      .partialRecord(evaluationMeasureSchema, z.number())
      .describe('The measures of this question, each 0 to 1.'),
    passages: z
      .array(
        z.object({
          datasource_id: z.string(),
          datasource_name: z.string(),
          score: z.number(),
          text: z.string().describe('The beginning of the passage.'),
          right: z.boolean(),
        }),
      )
      .describe('The first three.'),
    answer: z.string().optional().describe('The beginning of the answer of the agent.'),
  })
  .meta({ id: 'EvaluationOutcome' });
export type EvaluationOutcome = z.infer<typeof evaluationOutcomeSchema>;

export const evaluationStateSchema = z.enum(['waiting', 'running', 'done', 'failed']);
export type EvaluationState = z.infer<typeof evaluationStateSchema>;

const EVALUATION_EXAMPLE = {
  id: '0199c7a7-3c4d-7e5f-8a6b-1c2d3e4f5a6b',
  name: 'Warranty',
  state: 'done',
  configuration: { agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03' },
  baseline: null,
  questions: 1,
  done: 1,
  total: 1,
  error: null,
  createdAt: '2026-03-02T09:30:00.000Z',
  finishedAt: '2026-03-02T09:30:02.000Z',
};

export const evaluationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    state: evaluationStateSchema,
    configuration: evaluationConfigurationSchema,
    baseline: evaluationConfigurationSchema.nullable(),
    questions: z.number().int().describe('Questions of the set.'),
    done: z.number().int().describe('Questions that were asked.'),
    total: z.number().int().describe('Questions to ask: twice as many with a baseline.'),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the evaluation failed.'),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'Evaluation', examples: [EVALUATION_EXAMPLE] });
export type Evaluation = z.infer<typeof evaluationSchema>;

export const evaluationWithResultSchema = evaluationSchema
  .extend({
    result: z
      .object({
        configuration: sideResultSchema,
        baseline: sideResultSchema.nullable(),
        comparison: comparisonSchema.nullable(),
      })
      .nullable()
      .describe('Null until the evaluation is done.'),
    outcomes: z
      .array(
        z.object({
          question: z.string(),
          answerable: z.boolean(),
          configuration: evaluationOutcomeSchema,
          baseline: evaluationOutcomeSchema.nullable(),
        }),
      )
      .describe('One for each question, in the order of the set. Empty until the evaluation is done.'),
  })
  .meta({
    id: 'EvaluationWithResult',
    examples: [
      {
        ...EVALUATION_EXAMPLE,
        result: {
          configuration: {
            measures: {
              ...Object.fromEntries(EVALUATION_MEASURES.map((measure) => [measure, ESTIMATE_EXAMPLE])),
              recognised: null,
            },
            minScore: 0.5,
            missingDocuments: { count: 0, names: [] },
            curve: [{ minScore: 0, refused: 0, recognised: 0 }],
            proposedMinScore: null,
          },
          baseline: null,
          comparison: null,
        },
        outcomes: [
          {
            question: QUESTION_EXAMPLE.question,
            answerable: true,
            configuration: {
              rank: 1,
              score: 0.87,
              refused: false,
              values: { recallAt1: 1, mrr: 1, citedRight: 1, wronglyRefused: 0 },
              passages: [],
              answer: 'The warranty lasts two years [1].',
            },
            baseline: null,
          },
        ],
      },
    ],
  });
export type EvaluationWithResult = z.infer<typeof evaluationWithResultSchema>;
