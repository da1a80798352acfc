import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type HoldRule, ReasoningFilter } from './reasoning.filter.js';

interface Outcome {
  /** What is left at the end. */
  text: string;
  /** What was returned before the end mark showed that it was reasoning. */
  leaked: string;
}

function read(pieces: readonly string[], rule: HoldRule = 'aloud'): Outcome {
  const filter = new ReasoningFilter(rule);
  let text = '';
  let leaked = '';
  for (const piece of [...pieces.map((part) => filter.push(part)), filter.flush()]) {
    if (piece.retracts) {
      leaked += text;
      text = '';
    }
    text += piece.text;
  }
  return { text, leaked };
}

const SECRET = 'Passage [2] names the SECRET, so I cite it.';
const ANSWER = 'Two years [1].';

/** Forms of reasoning before the answer. */
const FORMS: readonly (readonly [name: string, answer: string])[] = [
  ['a reflection', `<reflection>${SECRET}</reflection>${ANSWER}`],
  ['an inner monologue', `<inner_monologue>${SECRET}</inner_monologue>\n${ANSWER}`],
  ['a thought process', `<thought_process>${SECRET}</thought_process>${ANSWER}`],
  ['a name with hyphens', `<deep-think>${SECRET}</deep-think>${ANSWER}`],
  [
    'a name with a number',
    `<think_never_used_51bce0c785ca2f6>${SECRET}</think_never_used_51bce0c785ca2f6>${ANSWER}`,
  ],
  ['bars of full width', `<｜begin▁of▁thinking｜>${SECRET}<｜end▁of▁thinking｜>${ANSWER}`],
  ['an analysis', `<analysis>${SECRET}</analysis>\n\n${ANSWER}`],
  ['small brackets', `[think]${SECRET}[/think]${ANSWER}`],
  ['escaped tags', `&lt;think&gt;${SECRET}&lt;/think&gt;${ANSWER}`],
  ['a fence', `\`\`\`thinking\n${SECRET}\n\`\`\`\n${ANSWER}`],
  [
    'details with a class',
    `<details class="reasoning" open><summary>x</summary>${SECRET}</details>\n${ANSWER}`,
  ],
  ['details with a summary', `<details>\n<summary>Thinking</summary>${SECRET}</details>\n${ANSWER}`],
  [
    'a recipient before the channel',
    `<|start|>assistant to=functions.find<|channel|>commentary json<|message|>{"SECRET":1}<|call|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ],
  [
    'a recipient after other channels',
    `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant to=functions.find<|channel|>commentary<|message|>{"SECRET":1}<|call|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ],
  [
    'a commentary without a recipient',
    `<|channel|>commentary<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ],
  ['a channel that lost its start', `${SECRET}<channel|>${ANSWER}`],
  ['a response tag', `<think>${SECRET}</think><response>${ANSWER}</response>`],
  ['the end of a turn', `<think>${SECRET}</think>${ANSWER}<|im_end|>`],
  ['a box', `<think>${SECRET}</think>\n<|begin_of_box|>${ANSWER}<|end_of_box|>`],
  ['a box alone', `<|begin_of_box|>${ANSWER}<|end_of_box|>`],
  ['a long lone end', `${`${SECRET} `.repeat(300)}</think>${ANSWER}`],
  ['think', `<think>\n${SECRET}\n</think>\n\n${ANSWER}`],
  ['thinking', `<thinking>${SECRET}</thinking>${ANSWER}`],
  ['reasoning', `<reasoning>${SECRET}</reasoning> ${ANSWER}`],
  ['thought', `<thought>${SECRET}</thought>${ANSWER}`],
  ['capitals', `<THINK>${SECRET}</Think>${ANSWER}`],
  ['other end', `<think>${SECRET}</thinking>${ANSWER}`],
  ['attributes', `<think type="deep">${SECRET}</think >${ANSWER}`],
  ['brackets', `[THINK]${SECRET}[/THINK]${ANSWER}`],
  ['seed', `<seed:think>${SECRET}</seed:think>${ANSWER}`],
  ['longcat', `<longcat_think>${SECRET}</longcat_think>${ANSWER}`],
  ['triangles', `◁think▷${SECRET}◁/think▷${ANSWER}`],
  [
    'channels',
    `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ],
  [
    'channels with their end',
    `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  ],
  ['bare channels', `<|channel|>analysis ${SECRET} <|channel|>final ${ANSWER}`],
  ['channels on lines', `<|channel|>analysis\n${SECRET}\n<|channel|>final\n${ANSWER}`],
  [
    'a commentary',
    `<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"q":"SECRET"}<|call|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ],
  ['removed tokens', `analysisWe need the SECRET [2].assistantfinal${ANSWER}`],
  ['more removed tokens', `analysisWe need it.assistantcommentaryThe SECRET [2].assistantfinal${ANSWER}`],
  ['pipes', `<|think|>${SECRET}<|/think|>${ANSWER}`],
  [
    'begin of thought',
    `<|begin_of_thought|>${SECRET}<|end_of_thought|>\n<|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
  ],
  [
    'start thinking',
    `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
  ],
  ['channel and thought', `<|channel>thought\n${SECRET}\n<channel|>${ANSWER}`],
  ['inner prefix', `<|inner_prefix|>${SECRET}<|inner_suffix|>${ANSWER}`],
  ['unused tokens', `<unused94>thought\n${SECRET}<unused95>${ANSWER}`],
  [
    'details',
    `<details type="reasoning" done="true"><summary>Thought</summary>${SECRET}</details>\n${ANSWER}`,
  ],
  ['sentences', `Here is my thought process: ${SECRET} Here is my response: ${ANSWER}`],
  ['an answer tag', `<think>${SECRET}</think><answer>${ANSWER}</answer>`],
  ['two blocks', `<think>${SECRET}</think><think>${SECRET}</think>${ANSWER}`],
  ['an empty block', `<think>\n\n</think>\n\n${ANSWER}`],
  ['no block', `<think/>${ANSWER}`],
  ['a lone end', `${SECRET}</think>${ANSWER}`],
  ['a lone end aloud', `Okay, ${SECRET}\n</think>\n\n${ANSWER}`],
  ['a lone end of brackets', `${SECRET}[/THINK]${ANSWER}`],
  ['a lone end of triangles', `${SECRET}◁/think▷${ANSWER}`],
  ['a lone channel', `${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`],
  ['a lone joined word', `We need the SECRET.assistantfinal${ANSWER}`],
  ['two lone ends', `${SECRET}</think>A SECRET draft</think>${ANSWER}`],
  ['nested', `<think>${SECRET}<think>SECRET</think> SECRET</think>${ANSWER}`],
  [
    'a mark in code of the reasoning',
    `<think>The text \`</think>\` is a SECRET; \`a</think>\` too.\nSo\n</think>${ANSWER}`,
  ],
  ['an open backtick in the reasoning', `<think>the \` SECRET</think>${ANSWER}`],
  ['an open fence in the reasoning', `<think>\n\`\`\`json\n{"SECRET":\n</think>\n${ANSWER}`],
  ['headings in bold', `**Thinking:** ${SECRET} **Answer:** ${ANSWER}`],
  ['headings in bold on lines', `**Reasoning**\n\n${SECRET}\n\n**Final Answer**\n\n${ANSWER}`],
  ['headings with the colon behind', `**Reasoning**: ${SECRET}\n\n**Answer**: ${ANSWER}`],
  ['titles', `### Reasoning\n- ${SECRET}\n\n### Final answer\n${ANSWER}`],
  ['titles in bold', `## **Thought Process:**\n${SECRET}\n## **Response:**\n${ANSWER}`],
  ['a title with a number', `1. **Step-by-step reasoning:** ${SECRET}\n2. **Final answer:** ${ANSWER}`],
  ['a title with an emoji', `💭 **Thinking**\n${SECRET}\n\n✅ **Answer**\n${ANSWER}`],
  [
    'ReAct',
    `Thought: ${SECRET}\nAction: search\nObservation: SECRET\nThought: SECRET\nFinal Answer: ${ANSWER}`,
  ],
  ['ReAct on one line', `Thought: I know the SECRET final answer Final Answer: ${ANSWER}`],
  ['headings in German', `**Überlegung:** ${SECRET}\n\n**Antwort:** ${ANSWER}`],
  ['headings in French', `**Réflexion :** ${SECRET}\n**Réponse :** ${ANSWER}`],
  ['headings in Spanish', `Razonamiento: ${SECRET}\nRespuesta final: ${ANSWER}`],
  ['headings in Chinese', `思考过程：需要 SECRET。最终答案：${ANSWER}`],
  ['headings in Japanese', `【思考】\n${SECRET}\n【回答】\n${ANSWER}`],
  ['headings in brackets', `[Reasoning]\n${SECRET}\n[Answer]\n${ANSWER}`],
  ['an open fence below a heading', `Reasoning:\n\`\`\`json\n{"SECRET":\n\nFinal Answer: ${ANSWER}`],
  ['brackets in capitals', `[REASONING]\n${SECRET}\n[ANSWER]\n${ANSWER}[/ANSWER]`],
  ['brackets with words', `[BEGIN_THOUGHT]${SECRET}[END_THOUGHT]${ANSWER}`],
  ['braces', `{think}${SECRET}{/think}${ANSWER}`],
  ['two braces', `{{thinking}}\n${SECRET}\n{{/thinking}}\n${ANSWER}`],
  ['a lone end of braces', `${SECRET}{/think}${ANSWER}`],
  [
    'an output',
    `<thinking>${SECRET}<reflection>SECRET</reflection>SECRET</thinking>\n<output>${ANSWER}</output>`,
  ],
  ['an answer tag without the end of the reasoning', `<think>\n${SECRET}\n<answer>${ANSWER}</answer>`],
  ['a draft in an answer tag', `<think>\n${SECRET}\n<answer>SECRET</answer>\nNo.</think>${ANSWER}`],
  [
    'an action',
    `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_ACTION|>[{"q":"SECRET"}]<|END_ACTION|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
  ],
  ['an end in words', `<begin_of_thought>${SECRET}<end_of_thought>${ANSWER}`],
  ['an end behind the name', `<|thinking_start|>${SECRET}<|thinking_end|>${ANSWER}`],
  ['tags of artifacts', `<antThinking>${SECRET}</antThinking>${ANSWER}`],
  ['a scratch pad', `<scratch_pad>${SECRET}</scratch_pad>${ANSWER}`],
  ['control tokens', `<ctrl94>thought\n${SECRET}<ctrl95>${ANSWER}`],
  ['an escaped slash', `<think>${SECRET}<\\/think>${ANSWER}`],
  ['a wrong slash', `<think>${SECRET}<\\think>${ANSWER}`],
  ['wide characters', `＜think＞${SECRET}＜/think＞${ANSWER}`],
  ['Chinese tags', `<思考过程>${SECRET}</思考过程>${ANSWER}`],
  ['a quote', `*Thinking...*\n\n> ${SECRET}\n> \n> SECRET\n\n${ANSWER}`],
  ['a quote with a heading', `> **Reasoning**\n> ${SECRET}\n\n${ANSWER}`],
];

describe('ReasoningFilter', () => {
  it.each(FORMS)('removes %s', (_, answer) => {
    for (const rule of ['clear', 'aloud', 'start', 'always'] as const)
      expect(read([answer], rule).text).toBe(ANSWER);
  });

  it.each(FORMS)('returns nothing of %s before, if text is held back', (_, answer) => {
    const { leaked } = read([...answer], 'always');
    expect(leaked).toBe('');
    if (!answer.includes('</think>A SECRET')) expect(read([...answer], 'start').leaked).toBe('');
  });

  it.each([
    ['after text', `It lasts <think>${SECRET}</think> two years.`, 'It lasts two years.'],
    ['after white space', ` \n [think]${SECRET}[/think] ${ANSWER}`, ` \n ${ANSWER}`],
    ['between lines', `A.\n<think>${SECRET}</think>\nB.`, 'A.\n\nB.'],
    ['without an end', `A [1]. <think>${SECRET}`, 'A [1]. '],
    ['without an end, from the start', `<think>${SECRET}`, ''],
    ['without an end, in channels', `<|channel|>analysis<|message|>${SECRET}`, ''],
    ['that ends in a partial mark', `<think>${SECRET}</thi`, ''],
    [
      'in two channels of the answer',
      '<|channel|>final<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B',
      'AB',
    ],
  ])('removes reasoning %s', (_, answer, text) => expect(read([answer]).text).toBe(text));

  it.each([
    'Use `<think>` and `</think>` around it [1].',
    'Write:\n```xml\n<think>\nnote\n</think>\n```\nas shown [1].',
    '- item\n  ~~~\n  </think>\n  ~~~\nend',
    '``a ` </think>`` b',
    'a < b, [Thinking](https://a.example) and [THIS], ◁ and ◁a▷, <b>x</b>, <thing>, <thinker>',
    'I think that <em>reasoning</em> helps. The assistant finally answers; analysis follows.',
    'analysis of the text',
    'Okay, that works.',
    '[thinking](https://a.example) helps',
    '[think of it] as a box',
    '&lt;think about it&gt;',
    '&lt;b&gt; is bold, &amp;',
    '```think.js\nx\n```\nruns',
    '<details><summary>Fees</summary>Ten.</details>',
    'The <analysis> element and [think] are text, <rationale>.',
    '<analyses>, <think-cell>, <rethinking-x>, <|im_end|>, <｜Assistant｜>',
    ' leading white space',
    'Here is my thought: nothing.',
    '<|endoftext|> is a token, and <|end|> is one, <answer>',
    'ends with <thin',
    'ends with assistantfin',
    '<details>open</details>',
    '## Reasoning\n\nThe court had two reasons [1].\n\n## Costs\nTen.',
    'Reasoning: it is cheaper [1].',
    '**Answer:** two years [1].\n\n**Reasoning:** it says so.\n\nAnswer: x',
    'Answer: yes [1].',
    'The form has two parts.\n\n**Reasoning:** why.\n\n**Answer:** what.',
    'Reasoning: the form has\n```\nAnswer: x\n```\nand `Answer:` [1].',
    'Reasoning: the answer: it is in small letters.',
    'Thoughtful people think.',
    '{think} is a placeholder, {reasoning} too, {{thoughts}}.',
    '{"a": 1}',
    '<output> is an element of HTML, <answer> is none.',
    '<output>a</output> and <output>b</output>',
    '**Thinking** about it [1].',
    '**Bold** and *Thinking...* text',
    '*Thinking*\n\nis a book.',
    '1. Reason\n2. Answer: none',
    'a [BEGIN] and [END] or [ANSWER]',
  ])('keeps %j', (answer) => {
    for (const rule of ['aloud', 'start'] as const) {
      expect(read([answer], rule)).toEqual({ text: answer, leaked: '' });
      expect(read([...answer], rule)).toEqual({ text: answer, leaked: '' });
    }
  });

  it.each(['<output>Two [1].</output>', '<answer>\nTwo [1].\n</answer>\n'])('unwraps %j', (answer) => {
    expect(read([answer])).toEqual({ text: 'Two [1].', leaked: '' });
    expect(read([...answer])).toEqual({ text: 'Two [1].', leaked: '' });
  });

  it('returns the text below the heading of the answer at once', () => {
    const filter = new ReasoningFilter('clear');
    expect(filter.push('Thought: it is old.\nFinal Answer: Two\n').text).toBe('Two\n');
    expect(filter.push('years').text).toBe('years');
    expect([filter.hasLoneEnd, filter.opensAloud]).toEqual([true, true]);
  });

  it('takes a fence that is not closed for code of the answer, unless text is held back', () => {
    const answer = 'An unclosed ` and\n```\n</think>\nx';
    expect(read([answer]).text).toBe(answer);
    expect(read([answer], 'start').text).toBe('x');
  });

  it('holds back only what may be reasoning', () => {
    const filter = new ReasoningFilter('aloud');
    expect(['Two', ' years', ' <', 'b', ' [', '1]', '.'].map((piece) => filter.push(piece).text)).toEqual([
      'Two',
      ' years',
      ' ',
      '',
      '<b ',
      '[1]',
      '.',
    ]);
    const aloud = new ReasoningFilter('aloud');
    expect(aloud.push('Okay, let me see.').text).toBe('');
    expect(aloud.push('</think>Yes').text).toBe('Yes');
    expect(aloud.push(', two').text).toBe(', two');
    const the = (rule: HoldRule): string => new ReasoningFilter(rule).push('The').text;
    expect([the('aloud'), the('clear')]).toEqual(['', 'The']);
    const marked = new ReasoningFilter('start');
    expect(marked.push('<think>x</think>Yes').text).toBe('Yes');
  });

  it('says how the answer ended, and drops text that was cut within reasoning', () => {
    const cut = new ReasoningFilter('start');
    cut.push('Let me see');
    expect(cut.flush({ startsInReasoning: true }).text).toBe('');
    expect(cut.endsInReasoning).toBe(true);
    const open = new ReasoningFilter('aloud');
    open.push('A.\n<think>x');
    open.flush();
    expect([open.endsInReasoning, open.hasMarks, open.hasLoneEnd]).toEqual([true, true, false]);
  });

  const parts = fc.constantFrom(
    '<think>',
    '</think>',
    '<thinking>',
    '[THINK]',
    '[/THINK]',
    '◁think▷',
    '◁/think▷',
    '<|channel|>analysis<|message|>',
    '<|channel|>final',
    '<|message|>',
    '<|end|>',
    '<|start|>assistant',
    'assistantfinal',
    'analysisThe',
    '<seed:think>',
    '[think]',
    '[/think]',
    '&lt;think&gt;',
    '&lt;/think&gt;',
    '```thinking\n',
    '<｜think｜>',
    '<analysis>',
    '</analysis>',
    '<details>',
    '<summary>Thinking</summary>',
    ' to=functions.x',
    '<|begin_of_box|>',
    '<|im_end|>',
    '<details type="reasoning">',
    '**Thinking:** ',
    '### Reasoning',
    'Thought: ',
    'Final Answer: ',
    '**Answer:**',
    '思考：',
    '。答案：',
    '{think}',
    '{/think}',
    '<output>',
    '</output>',
    '<|START_ACTION|>',
    '<think_end>',
    '*Thinking...*\n\n> ',
    '[ANSWER]',
    '</details>',
    '`',
    '``',
    '```',
    '\n```\n',
    '~~~',
    '\n',
    ' ',
    'word',
    'SECRET ',
    '<',
    '[',
    '◁',
    'a',
    'Okay, ',
    '😀',
    '> ',
    '- ',
    '<b>',
    '[1]',
    '.',
  );
  const answers = fc
    .array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 30, size: 'max' })
    .map((all) => all.join(''));

  it('leaves the same text however the answer is split', () => {
    fc.assert(
      fc.property(
        answers,
        fc.array(fc.nat(200)),
        fc.constantFrom<HoldRule>('clear', 'aloud', 'start', 'always'),
        (answer, cuts, rule) => {
          const bounds = [
            0,
            ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b),
            answer.length,
          ];
          const pieces = bounds.slice(1).map((end, index) => answer.slice(bounds[index], end));
          expect(read(pieces, rule).text).toBe(read([answer], rule).text);
          expect(read([...answer], rule).text).toBe(read([answer], rule).text);
        },
      ),
      {
        numRuns: 3_000,
        examples: [
          ['<think></think>> <|message|> ', [], 'clear'],
          ['`<think><|channel|>final\n<|message|>', [], 'clear'],
        ],
      },
    );
  });

  it.each(FORMS)('removes %s whatever surrounds it, however it is split', (_, form) => {
    const text = fc
      .array(fc.constantFrom('It lasts ', 'two years [1]. ', '\n', '`a[2]` ', '- item\n', '表 '))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(400)), (after, cuts) => {
        const answer = `${form}${after}`;
        const bounds = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length];
        const pieces = bounds.slice(1).map((end, index) => answer.slice(bounds[index], end));
        const left = read(pieces).text;
        expect(left).not.toContain('SECRET');
        expect(left.startsWith(ANSWER)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every text without marks', () => {
    const plain = fc
      .string({ unit: 'binary', maxLength: 60 })
      .filter((text) => !/[<[◁]|assistant|analysis/.test(text));
    fc.assert(fc.property(plain, (text) => expect(read([...text]).text).toBe(text)));
  });
});
