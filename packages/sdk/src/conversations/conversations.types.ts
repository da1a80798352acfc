import type { FinishReason, Source } from '../shared.types.js';

export type Rating = 'good' | 'bad';

/** Whether an answer is being written, or how it ended. */
export type MessageState = 'answering' | 'complete' | 'stopped' | 'failed';

export interface Message {
  id: string;
  from: 'human' | 'agent';
  text: string;
  createdAt: string;
  sources: Source[];
  /** Of answers: whether the agent abstained. */
  abstained?: boolean | undefined;
  /** Of answers: why it ended. Older answers have none. */
  finishReason?: FinishReason | undefined;
  /** Of answers. A `stopped` or `failed` answer has what was written until then. */
  state?: MessageState | undefined;
  /** Why the answer failed. */
  error?: { code: string; message: string } | undefined;
  rating?: Rating | undefined;
  /** The comment of the rating. */
  comment?: string | undefined;
}

export interface Conversation {
  id: string;
  agentId: string;
  visitorId: string;
  /** The first question, truncated to 120 characters. */
  title: string;
  messageCount: number;
  /** False if the agent abstained from at least one answer. */
  answered: boolean;
  /** The worst rating of an answer. */
  rating: Rating | null;
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
