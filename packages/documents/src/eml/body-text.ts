import type { DocumentBuilder } from '../document/document-builder.js';

const SIGNATURE_LINE = '-- ';

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
    if (quotes !== depth || content === SIGNATURE_LINE) end();
    depth = quotes;
    const isSoft = content.endsWith(' ') && content !== SIGNATURE_LINE;
    paragraph.push(isSoft && deletesSpace ? content.slice(0, -1) : content);
    if (!isSoft) end();
  }
  end();
  return lines.join('\n');
}

/** Lines between the marks: base64, its checksum, and fields. Others follow armor whose end is missing. */
const ARMORED = /^(?:-----.*|[A-Za-z\d+/=]*\s*|(?:Version|Comment|Hash|MessageID|Charset):.*)$/;
const ARMOR = /^-----(BEGIN|END) PGP (MESSAGE|SIGNED MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----\s*$/;

/**
 * Takes the lines of OpenPGP out of a text (RFC 9580, sections 6 and 7): signatures, keys, and encrypted text.
 *
 * @returns whether text was encrypted, and the rest of the text
 */
export function readArmor(source: string, builder: DocumentBuilder): { text: string; isEncrypted: boolean } {
  if (!source.includes('-----BEGIN PGP ')) return { text: source, isEncrypted: false };
  const kept: string[] = [];
  const left: string[] = [];
  let isEncrypted = false;
  let state: 'text' | 'signed fields' | 'signed text' | 'armor' = 'text';
  for (const line of source.split(/\r?\n/)) {
    if (state === 'armor' && !ARMORED.test(line)) state = 'text';
    const [, mark, kind] = ARMOR.exec(line) ?? [];
    if (mark === 'BEGIN') state = kind === 'SIGNED MESSAGE' ? 'signed fields' : 'armor';
    isEncrypted ||= mark === 'BEGIN' && kind === 'MESSAGE';
    if (mark !== undefined || state === 'armor' || state === 'signed fields') left.push(line);
    // A line that begins with a dash has another one before it.
    else kept.push(state === 'signed text' ? line.replace(/^- /, '') : line);
    if (mark === 'END') state = 'text';
    else if (state === 'signed fields' && line.trim() === '') state = 'signed text';
  }
  builder.leaveOut('hidden', left.join('\n'));
  return { text: kept.join('\n'), isEncrypted };
}
