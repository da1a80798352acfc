import {
  conversationSchema,
  conversationWithMessagesSchema,
  erasedVisitorSchema,
  feedbackItemSchema,
  messageSchema,
  shareSchema,
  sharedConversationSchema,
} from '@citewell/contracts/schemas';
import { json, listOf, type Operation } from './operation.js';

/** Operations of conversations, what is shared of them, and feedback. */
export const CONVERSATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  'get /conversations': {
    tag: 'Conversations',
    summary: 'List conversations',
    description:
      'Those that the caller reads: people their own, and owners and editors also those that were begun with API keys. A key with the scope `admin` reads those of all keys, another key those that it began. Owners and keys with `admin` read the conversations of people that began since `ownersReadConversations` of the organization is on. For everybody else, a conversation does not exist.',
    responses: listOf(conversationSchema),
  },
  'get /feedback': {
    tag: 'Conversations',
    summary: 'List questions without an answer, and rated answers',
    description:
      'Of all conversations, also those of people: the question, the rating and its comment, and nothing else of the conversation. Newest first.',
    responses: listOf(feedbackItemSchema),
  },
  'get /exports/conversations': {
    tag: 'Conversations',
    summary: 'Export conversations as CSV',
    description:
      'One row per answer of the conversations that match, with its question, rating, comment and cited sources. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
    responses: { 'text/csv': null },
  },
  'get /conversations/{id}': {
    tag: 'Conversations',
    summary: 'Read a conversation',
    description:
      'Includes one page of its messages, newest first. 409 when several agents have a conversation with this id: add `agentId`.',
    responses: json(conversationWithMessagesSchema),
    errors: ['CONFLICT'],
  },
  'patch /conversations/{id}': {
    tag: 'Conversations',
    summary: 'Name an own conversation',
    responses: json(conversationSchema),
    errors: ['CONFLICT'],
  },
  'post /conversations/{id}/share': {
    tag: 'Conversations',
    summary: 'Share an own conversation inside the organization',
    description:
      'Only for people. Shares the messages so far. Sharing again adds the messages since then, and the link stays.',
    responses: json(shareSchema),
    errors: ['CONFLICT'],
  },
  'delete /conversations/{id}/share': {
    tag: 'Conversations',
    summary: 'End the link of a conversation',
    description: 'The link never works again. Sharing the conversation again makes another link.',
    responses: json(conversationSchema),
    errors: ['CONFLICT'],
  },
  'get /shared-conversations/{id}': {
    tag: 'Conversations',
    summary: 'Read a shared conversation',
    description:
      'Only for people of the organization who may read every document that the conversation cites. For all others, and with a link that was ended, it does not exist. A document that was deleted is read by owners only.',
    responses: json(sharedConversationSchema),
  },
  'delete /conversations/{id}': {
    tag: 'Conversations',
    summary: 'Delete a conversation',
    description:
      'People delete their own conversations. Those that were begun with API keys need the scope `write`.',
    responses: json(conversationSchema),
    errors: ['CONFLICT'],
  },
  'post /conversations/{id}/messages/{messageId}/feedback': {
    tag: 'Conversations',
    summary: 'Rate an answer',
    responses: json(messageSchema),
    errors: ['CONFLICT'],
  },
  'delete /visitors/{id}': {
    tag: 'Conversations',
    summary: 'Delete a visitor and all conversations of the visitor',
    description:
      'Deletes the conversations that API keys began, and the own ones of the caller, not those of other people. An editor leaves those that show something of a datastore that the editor may not read. Visitors have no other data. An answer that is in progress is stored afterwards: delete the visitor again.',
    responses: json(erasedVisitorSchema),
  },
};
