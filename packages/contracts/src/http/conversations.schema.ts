import { z } from 'zod';
import { pageQuerySchema, storedTextSchema } from './fields.js';
import { sourceSchema } from './sources.schema.js';

export const messageSchema = z
  .object({
    id: z.string(),
    from: z.enum(['human', 'agent']),
    text: z.string(),
    createdAt: z.string(),
    sources: z.array(sourceSchema),
    rating: z.enum(['good', 'bad']).optional(),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof messageSchema>;

export const conversationSchema = z
  .object({
    id: z.string(),
    agentId: z.string(),
    visitorId: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof conversationSchema>;

export const listConversationsSchema = pageQuerySchema.extend({
  agentId: z.string().max(255).optional(),
  visitorId: storedTextSchema.max(255).optional(),
});
export type ListConversations = z.infer<typeof listConversationsSchema>;

export const getConversationSchema = pageQuerySchema.extend({ agentId: z.string().max(255).optional() });
export type GetConversation = z.infer<typeof getConversationSchema>;

export const conversationWithMessagesSchema = conversationSchema.extend({ messages: z.array(messageSchema) });
export type ConversationWithMessages = z.infer<typeof conversationWithMessagesSchema>;

export const feedbackSchema = z
  .object({ rating: z.enum(['good', 'bad']), comment: storedTextSchema.max(4_096).nullish() })
  .meta({ id: 'Feedback' });
export type Feedback = z.infer<typeof feedbackSchema>;
