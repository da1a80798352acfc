const SIGNATURE = '-- ';

/**
 * Joins the lines of a paragraph (`format=flowed`, RFC 3676): a line that ends with a space continues in the next one.
 *
 * @param deletesSpace `DelSp=yes`: the space only marks the line break
 */
export function joinFlowedLines(text: string, deletesSpace: boolean): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let depth = 0;
  const end = (): void => {
    if (paragraph.length > 0) lines.push(`${'>'.repeat(depth)}${depth > 0 ? ' ' : ''}${paragraph.join('')}`);
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const quotes = /^>*/.exec(line)?.[0].length ?? 0;
    const content = line.slice(quotes).replace(/^ /, '');
    if (quotes !== depth || content === SIGNATURE) end();
    depth = quotes;
    const isSoft = content.endsWith(' ') && content !== SIGNATURE;
    paragraph.push(isSoft && deletesSpace ? content.slice(0, -1) : content);
    if (!isSoft) end();
  }
  end();
  return lines.join('\n');
}
