import type { Block, DocumentContent } from '@citewell/documents';

/** A question of an FAQ with the answer that its page gives. */
export interface FaqQuestion {
  readonly question: string;
  /** Name of the document that contains the answer. */
  readonly document: string;
  /** Letters and digits of the answer, as {@link lettersOf} returns them. */
  readonly answer: string;
}

/** Shorter answers are mostly references to other answers. In letters and digits. */
const MIN_ANSWER = 120;

/**
 * Removes the question headings from the page of an FAQ, and returns the rest as Markdown with the questions.
 *
 * A question is a heading that ends with a question mark. Its answer is the text up to the next heading of the
 * same or a higher level. Lines that repeat a question, as those of a table of contents, are removed as well.
 */
export function splitFaq(
  { title, text, blocks }: DocumentContent,
  document: string,
): { markdown: string; questions: FaqQuestion[] } {
  const textOf = ({ start, end }: Block): string => text.slice(start, end);
  const isQuestion = (block: Block): boolean => block.kind === 'heading' && /\?\s*$/.test(textOf(block));
  const asked = new Set(blocks.filter(isQuestion).map((block) => lettersOf(unnumbered(textOf(block)))));
  const withoutQuestions = (block: Block): string =>
    textOf(block)
      .split('\n')
      .filter((line) => !asked.has(lettersOf(unnumbered(line))))
      .join('\n');

  const questions: FaqQuestion[] = [];
  const lines: string[] = title === null ? [] : [`# ${title}`];
  let open: { question: string; level: number; answer: string } | null = null;
  const close = (): void => {
    if (open !== null && open.answer.length >= MIN_ANSWER)
      questions.push({ question: open.question, document, answer: open.answer });
    open = null;
  };
  for (const block of blocks) {
    if (block.kind === 'heading' && open !== null && (block.level ?? 1) <= open.level) close();
    if (isQuestion(block)) {
      close();
      open = { question: spaced(textOf(block)), level: block.level ?? 1, answer: '' };
      continue;
    }
    const content = withoutQuestions(block);
    if (content.trim() === '') continue;
    if (block.kind === 'heading') lines.push(`${'#'.repeat(block.level ?? 1)} ${spaced(content)}`);
    else if (block.kind === 'code') lines.push(`\`\`\`\n${content}\n\`\`\``);
    else lines.push(content);
    if (open !== null) open.answer += lettersOf(content);
  }
  close();
  return { markdown: `${lines.join('\n\n')}\n`, questions };
}

function spaced(heading: string): string {
  return unnumbered(heading).replaceAll('¶', '').replace(/\s+/g, ' ').trim();
}

/** Section numbers are not part of a question. */
function unnumbered(line: string): string {
  return line.replace(/^\s*[\d.]+\s+/, '');
}

/** The letters and digits of a text in lower case. They are the same in every format of the text. */
export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
