import { z } from 'zod';
import { pageQuerySchema, wholeNumberParameterSchema } from '../fields.js';

export const gapStateSchema = z
  .enum(['open', 'marked', 'answered'])
  .describe(
    '`marked`: somebody has marked the gap as answered. `answered`: its last question was asked again, and a document that was added or changed since has a passage for it. A later question without an answer opens the gap again.',
  );
export type GapState = z.infer<typeof gapStateSchema>;

export const listGapsSchema = pageQuerySchema.extend({
  agentId: z.string().max(255).optional(),
  state: gapStateSchema.optional(),
  days: wholeNumberParameterSchema(1, 366)
    .optional()
    .describe('Only questions of the last days count. Default: all.'),
});
export type ListGaps = z.infer<typeof listGapsSchema>;

const countSchema = z.number().int();

export const gapSchema = z
  .object({
    id: z.string(),
    question: z.string().describe('The most frequent wording; of equally frequent ones, the shortest.'),
    questions: countSchema.describe('How often was asked about the subject.'),
    wordings: z
      .array(z.object({ question: z.string(), count: countSchema }))
      .describe('The five most frequent ones. Questions that differ in case or the mark at the end are one.'),
    days: z
      .array(z.object({ day: z.string(), count: countSchema }))
      .describe('Days (UTC) with questions, the last 31, oldest first.'),
    firstAskedAt: z.string(),
    lastAskedAt: z.string(),
    agentIds: z.array(z.string()).describe('The agents that were asked.'),
    state: gapStateSchema,
    mark: z
      .object({ at: z.string(), personId: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .describe('Who marked the gap the last time. Without a person: an API key, or somebody who is gone.'),
    checkedAt: z.string().nullable().describe('When the last question was asked again.'),
    answer: z
      .object({
        at: z.string(),
        document: z
          .object({ id: z.string(), name: z.string(), datastoreId: z.string() })
          .nullable()
          .describe('Null: the document was deleted.'),
      })
      .nullable()
      .describe('Where the answer was found.'),
  })
  .meta({
    id: 'Gap',
    description:
      'Questions without an answer on one subject. It tells neither who asked nor the conversations.',
    examples: [
      {
        id: '0199c7a6-1d2e-7f48-b395-0a7c4e6d8b36',
        question: 'How long is the warranty?',
        questions: 3,
        wordings: [
          { question: 'How long is the warranty?', count: 2 },
          { question: 'warranty period', count: 1 },
        ],
        days: [
          { day: '2026-03-02', count: 2 },
          { day: '2026-03-04', count: 1 },
        ],
        firstAskedAt: '2026-03-02T09:30:00.000Z',
        lastAskedAt: '2026-03-04T11:05:00.000Z',
        agentIds: ['0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03'],
        state: 'open',
        mark: null,
        checkedAt: '2026-03-05T02:00:00.000Z',
        answer: null,
      },
    ],
  });
export type Gap = z.infer<typeof gapSchema>;

export const updateGapSchema = z
  .object({
    answered: z
      .boolean()
      .describe(
        'True: the gap is marked as answered, and its last question is asked again in the next night. The owner who marked it is told the result by e-mail, if the server sends e-mail. False: the gap is open again.',
      ),
  })
  .meta({ id: 'UpdateGap', examples: [{ answered: true }] });
export type UpdateGap = z.infer<typeof updateGapSchema>;
