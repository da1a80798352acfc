import type { Source } from '../shared.types.js';

export type Rating = 'good' | 'bad';

export interface Message {
  id: string;
  from: 'human' | 'agent';
  text: string;
  createdAt: string;
  sources: Source[];
  rating?: Rating | undefined;
}

export interface Conversation {
  id: string;
  agentId: string;
  visitorId: string;
  createdAt: string;
  updatedAt: string;
}

/** A conversation with one page of its messages, newest first. */
export interface ConversationWithMessages extends Conversation {
  messages: Message[];
}

export interface Feedback {
  rating: Rating;
  comment?: string | null | undefined;
}
