import { z } from 'zod';
import { nameSchema, pageQuerySchema, storedTextSchema } from '../fields.js';
import { answerSentenceSchema, finishReasonSchema, SOURCE_EXAMPLE, sourceSchema } from './sources.schema.js';

export const ratingSchema = z.enum(['good', 'bad']);

const FEEDBACK_EXAMPLE = { rating: 'bad', comment: 'The warranty of the seals is shorter.' };

export const messageStateSchema = z.enum(['answering', 'complete', 'stopped', 'failed']);

export const messageSchema = z
  .object({
    id: z.string(),
    from: z.enum(['human', 'agent']),
    text: z.string(),
    createdAt: z.string(),
    sources: z.array(sourceSchema),
    abstained: z.boolean().optional().describe('Of answers only.'),
    finishReason: finishReasonSchema
      .optional()
      .describe('Of answers only, as in the response to their question. Older answers have none.'),
    sentences: z
      .array(answerSentenceSchema)
      .optional()
      .describe('Of answers only, as in the response to their question. Older answers have none.'),
    state: messageStateSchema
      .optional()
      .describe('Of answers only. A `stopped` or `failed` answer has what was written until then.'),
    error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why the answer failed.'),
    rating: ratingSchema.optional(),
    comment: z.string().optional().describe('The comment of the rating.'),
  })
  .meta({
    id: 'Message',
    examples: [
      {
        id: '0199c7a6-1d2e-7f48-b395-0a7c4e6d8b36',
        from: 'agent',
        text: 'The warranty lasts two years from the date of purchase [1].',
        createdAt: '2026-03-02T09:30:00.000Z',
        sources: [SOURCE_EXAMPLE],
        abstained: false,
        finishReason: 'stop' as const,
        state: 'complete',
        ...FEEDBACK_EXAMPLE,
      },
    ],
  });
export type Message = z.infer<typeof messageSchema>;

const SHARE_EXAMPLE = { id: '7f0c9a52-3a1e-4c83-9d42-5b1f6f0e8d11', sharedAt: '2026-03-02T09:45:00.000Z' };

export const shareSchema = z
  .object({
    id: z.string().describe('The link is `<address of the server>/shared/<id>`.'),
    sharedAt: z.string().describe('Later messages are not shared.'),
  })
  .meta({ id: 'Share', examples: [SHARE_EXAMPLE] });
export type Share = z.infer<typeof shareSchema>;

export const conversationSchema = z
  .object({
    id: z.string(),
    agentId: z.string(),
    visitorId: z.string(),
    title: z.string().describe('Chosen by the person, or the first question, truncated to 120 characters.'),
    own: z.boolean().describe('Whether the caller began the conversation.'),
    person: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe('Whose conversation this is. Null if it was begun with an API key.'),
    share: shareSchema.nullable().describe('Null if the conversation is not shared, or not the own one.'),
    messageCount: z.number().int(),
    answered: z.boolean().describe('False if the agent abstained from at least one answer.'),
    rating: ratingSchema.nullable().describe('The worst rating of an answer.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({
    id: 'Conversation',
    examples: [
      {
        id: '0199c7a6-0a1b-7c2d-9e3f-4a5b6c7d8e9f',
        agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03',
        visitorId: '0199c7a6-0b2c-7d3e-8f4a-5b6c7d8e9f0a',
        title: 'Warranty of pumps',
        own: true,
        person: { id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b', name: 'Grace' },
        share: SHARE_EXAMPLE,
        messageCount: 2,
        answered: true,
        rating: null,
        createdAt: '2026-03-02T09:30:00.000Z',
        updatedAt: '2026-03-02T09:30:00.000Z',
      },
    ],
  });
export type Conversation = z.infer<typeof conversationSchema>;

const conversationFilterSchema = z.object({
  agentId: z.string().max(255).optional(),
  visitorId: storedTextSchema.max(255).optional(),
  unanswered: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .optional()
    .describe(
      '`true`: only conversations with an answer from which the agent abstained. `false`: only the others.',
    ),
  rating: ratingSchema.optional().describe('The worst rating of an answer in the conversation.'),
  own: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .optional()
    .describe('`true`: only conversations that the caller began, those with the last question first.'),
  search: storedTextSchema
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Only conversations that the caller began and that contain this text in the title or a question.',
    ),
});

export const updateConversationSchema = z
  .object({ title: nameSchema.nullable().describe('Null: the first question.') })
  .meta({ id: 'UpdateConversation', examples: [{ title: 'Warranty of pumps' }] });
export type UpdateConversation = z.infer<typeof updateConversationSchema>;

export const listConversationsSchema = pageQuerySchema.extend(conversationFilterSchema.shape);
export type ListConversations = z.infer<typeof listConversationsSchema>;

export const exportConversationsSchema = conversationFilterSchema;
export type ExportConversations = z.infer<typeof exportConversationsSchema>;

export const agentOfConversationSchema = z.object({ agentId: z.string().max(255).optional() });
export type AgentOfConversation = z.infer<typeof agentOfConversationSchema>;

export const getConversationSchema = pageQuerySchema.extend(agentOfConversationSchema.shape);
export type GetConversation = z.infer<typeof getConversationSchema>;

export const conversationWithMessagesSchema = conversationSchema
  .extend({ messages: z.array(messageSchema) })
  .describe('A conversation with one page of its messages, newest first.');
export type ConversationWithMessages = z.infer<typeof conversationWithMessagesSchema>;

export const sharedConversationSchema = z
  .object({
    title: z.string(),
    agentId: z.string(),
    sharedBy: z.string().nullable().describe('The name of the person who shares the conversation.'),
    sharedAt: z.string(),
    messages: z
      .array(messageSchema)
      .describe(
        'Without ratings. Passages that were not cited are empty, so that the numbers of the others stay.',
      ),
  })
  .meta({
    id: 'SharedConversation',
    description: 'A shared conversation with one page of its messages, newest first.',
  });
export type SharedConversation = z.infer<typeof sharedConversationSchema>;

export const getSharedConversationSchema = pageQuerySchema;
export type GetSharedConversation = z.infer<typeof getSharedConversationSchema>;

export const feedbackSchema = z
  .object({ rating: ratingSchema, comment: storedTextSchema.max(4_096).nullish() })
  .meta({ id: 'Feedback', examples: [FEEDBACK_EXAMPLE] });
export type Feedback = z.infer<typeof feedbackSchema>;

export const listFeedbackSchema = pageQuerySchema.extend({
  agentId: z.string().max(255).optional(),
  kind: z
    .enum(['unanswered', 'good', 'bad'])
    .optional()
    .describe('Only questions from whose answer the agent abstained, or whose answer has this rating.'),
});
export type ListFeedback = z.infer<typeof listFeedbackSchema>;

export const feedbackItemSchema = z
  .object({
    id: z.string(),
    agentId: z.string(),
    question: z.string(),
    abstained: z.boolean(),
    rating: ratingSchema.nullable(),
    comment: z.string().nullable().describe('The comment of the rating.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'FeedbackItem',
    description:
      'A question that was not answered, or whose answer was rated. It tells neither who asked nor the conversation.',
    examples: [
      {
        id: '0199c7a6-1d2e-7f48-b395-0a7c4e6d8b36',
        agentId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03',
        question: 'How long is the warranty?',
        abstained: false,
        ...FEEDBACK_EXAMPLE,
        createdAt: '2026-03-02T09:30:00.000Z',
      },
    ],
  });
export type FeedbackItem = z.infer<typeof feedbackItemSchema>;
