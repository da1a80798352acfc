import { describe, expect, it } from '@jest/globals';
import { chatTaskOf } from './chat-task.js';

const CHAT = 'USER: How much is a ticket for a child?\nASSISTANT: It is 4 euros.';
const TAGGED = `<chat_history>\n${CHAT}\n</chat_history>`;
const FIRST = 'How much is a ticket for a child?';
const LONG = 'How much is a ticket for a child that is seven years old on a Sunday in winter';

describe('a task of a chat program', () => {
  it.each<[message: string, reply: string | null]>([
    [`Generate a short title for this chat, as JSON\n${TAGGED}`, JSON.stringify({ title: FIRST })],
    [
      `### Task:\nGenerate a concise title with an emoji.\n### Output:\nJSON format: { "title": "your title here" }\n### Examples:\n- { "title": "Is it so?" }\n### Chat History:\n${TAGGED}`,
      JSON.stringify({ title: FIRST }),
    ],
    [
      `### Task:\nGenerate 1-3 broad tags.\n### Output:\nJSON format: { "tags": ["tag1", "tag2"] }\n### Chat History:\n${TAGGED}`,
      null,
    ],
    [
      `### Task:\nSuggest 3-5 relevant follow-up questions.\n### Output:\nJSON format: { "follow_ups": ["Question 1?", "Question 2?"] }\n### Chat History:\n${TAGGED}`,
      null,
    ],
    [
      '### Task:\nGenerate search queries.\n### Output:\nStrictly return in JSON format:\n{\n  "queries": ["query1"]\n}\n\n### Chat History:\n<chat_history>\nUSER: Opening hours\n</chat_history>',
      null,
    ],
    [`Write a title of three words for the chat.\n\nChat History:\n${CHAT}`, FIRST],
    [
      `User: ${LONG}?\nAI: It is free.\n\nWrite a title.`,
      'How much is a ticket for a child that is seven years old on…',
    ],
    [
      `Return JSON with a title.\n<conversation>\n**Human:** """Hours"""\n**Assistant:** 9 to 5.\n</conversation>`,
      '{"title":"Hours"}',
    ],
    [`Give the chat a title.\nAssistant: Hello.\nUser: Hi`, 'Hi'],
    [
      "Give this chat a name.\nHere's the conversation:\n\n```\nUSER:\nOpening hours\n\n---------\n\nASSISTANT:\n9 to 5\n```\n\nName this conversation in 10 characters.",
      'Opening hours',
    ],
    [`Suggest three follow-up questions, one per line.\n${TAGGED}`, null],
    [`Summarize the conversation.\n${CHAT}`, null],
    [
      'Gib dem Chat einen kurzen Titel.\n<chat>\nNutzer: Was kostet es?\nAssistent: 4 Euro.\n</chat>',
      'Was kostet es?',
    ],
    ['为这段对话生成标题。\n用户：多少钱？\n助手：四欧元。', '多少钱？'],
  ])('%j is answered with %j', (message, reply) => {
    expect(chatTaskOf(message, '')).toEqual({ reply });
  });

  it('may be in the instructions', () => {
    expect(chatTaskOf(CHAT, 'Write a concise title for the conversation.')).toEqual({ reply: FIRST });
  });
});

it.each([
  'How much is a ticket for a child?',
  `${CHAT}\n\nIs that right?`,
  `A customer asked this:\n${TAGGED}\nWhat do our rules say? Answer as JSON.`,
  `Check this chat against the price list.\n${TAGGED}`,
  `Which title has the film of ${TAGGED}?`,
  `What is wrong in this chat?\n${CHAT}`,
  'What is the title of the form "USER: x"? I need it as JSON.',
  'Return the prices as JSON: { "adult": 1 }',
  '<p>USER: a</p> Which of them is open?',
  `<chat>${'<chat>'.repeat(1_000)}`,
  TAGGED,
  `Was steht in der Preisliste？\n${TAGGED}\nAls JSON.`,
  `A visitor wrote this. Find the rule for children in our documents.\n${CHAT}`,
])('%j is a question', (message) => {
  expect(chatTaskOf(message, '')).toBeNull();
});
