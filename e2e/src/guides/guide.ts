import { readFileSync } from 'node:fs';

const WORKSPACE = new URL('../../../', import.meta.url);

/** A fenced block of code: the language, and the text without the fences. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a Markdown file. @param path relative to the workspace */
export function readCodeBlocks(path: string): CodeBlock[] {
  const markdown = readFileSync(new URL(path, WORKSPACE), 'utf8');
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** The blocks of one language as one program. */
export function programOf(blocks: readonly CodeBlock[], language: string): string {
  return blocks
    .filter((block) => block.language === language)
    .map(({ code }) => code)
    .join('');
}

/**
 * A pattern of the whole output that a guide promises in its `text` blocks. `…` stands for any text in a line; a
 * line with `…` alone, for any number of lines.
 */
export function outputPattern(promised: string): RegExp {
  const lines = promised.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${escape(line).replaceAll('…', '.*')}\\n`,
  );
  return new RegExp(`^${patterns.join('')}$`);
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
