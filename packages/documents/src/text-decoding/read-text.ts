import type { DocumentBuilder } from '../document/document-builder.js';
import type { ParserInput } from '../document-parser.js';
import { decodeText } from './decode-text.js';

/**
 * Decodes the text of a file. An uncertain encoding is a warning, which names the alternatives.
 *
 * @param declared an encoding that the file itself declares; default: that of the transport
 */
export async function readText(
  { bytes, encoding: chosen, declaredEncoding, fileName }: ParserInput,
  builder: DocumentBuilder,
  declared: string | undefined = declaredEncoding,
): Promise<string> {
  const { text, encoding, alternatives } = await decodeText(bytes, { encoding: chosen, declared, fileName });
  builder.setMetadata('encoding', encoding);
  if (alternatives.length > 0) builder.warn('ENCODING_UNCERTAIN', uncertainEncoding(encoding, alternatives));
  return text;
}

/** A sentence for the user. */
export function uncertainEncoding(encoding: string, alternatives: readonly string[]): string {
  return (
    `The text was read as ${encoding}, but it may be ${alternatives.join(' or ')}. ` +
    'If it is garbled, choose the encoding of the file.'
  );
}
