/** The text and the headings of a reference file, without Markdown syntax. */
export interface MarkdownReference {
  readonly text: string;
  readonly headings: readonly string[];
}

const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;

/**
 * Removes heading and emphasis markers, pipes, link targets, images, HTML tags and comments, and LaTeX
 * commands.
 */
export function readReference(markdown: string): MarkdownReference {
  const headings: string[] = [];
  const lines: string[] = [];
  let isCode = false;
  for (const line of markdown.replace(/<!--[\s\S]*?-->/g, ' ').split('\n')) {
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    const heading = isCode ? null : HEADING.exec(line);
    const text = isCode ? line : withoutInlineSyntax(heading?.[1] ?? line);
    if (heading !== null) headings.push(text);
    lines.push(text);
  }
  return { text: lines.join('\n'), headings };
}

function withoutInlineSyntax(line: string): string {
  return (
    line
      // LaTeX commands are syntax; their arguments are text.
      .replace(/\$\$?([^$]+)\$\$?/g, (_, formula: string) => formula.replace(/\\[A-Za-z]+/g, ' '))
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replace(/\*+|~~/g, '')
      .replaceAll('`', '')
      .replace(/^\s*\|?[\s|:-]+$/, '')
      .replaceAll('|', ' ')
      .replace(/<\/?[a-z][^>]*>/gi, ' ')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  );
}
