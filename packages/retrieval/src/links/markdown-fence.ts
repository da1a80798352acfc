/** A fenced code block (CommonMark 0.31, section 4.5). */
export interface Fence {
  readonly char: string;
  readonly length: number;
  readonly indent: number;
}

/** A line, without its end, that opens a fence. Deeper indentation depends on the lists around it. */
const OPENING = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
/** The start of such a line. */
const OPENING_START = /^ {0,3}(?:`{0,2}|~{0,2}|`{3,}[^`]*|~{3}.*)$/;
const CLOSING = /^[ \t]*(`+|~+)[ \t]*$/;

export function mayOpenFence(startOfLine: string): boolean {
  return OPENING_START.test(startOfLine);
}

/** @param line without its end */
export function openFence(line: string): Fence | null {
  const [, indent = '', run = ''] = OPENING.exec(line) ?? [];
  return run === '' ? null : { char: run.charAt(0), length: run.length, indent: indent.length };
}

/**
 * What a line is to the fence before it. `unclear`: less indentation than the opening ends the fence in a list, but
 * not elsewhere, and so does a closing line with other indentation.
 *
 * @param line without its end
 */
export function continueFence(fence: Fence, line: string): 'code' | 'closing' | 'unclear' {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
  const [, run = ''] = CLOSING.exec(line) ?? [];
  if (run.startsWith(fence.char) && run.length >= fence.length)
    return indent === fence.indent ? 'closing' : 'unclear';
  return indent < fence.indent && /[^ \t]/.test(line) ? 'unclear' : 'code';
}
