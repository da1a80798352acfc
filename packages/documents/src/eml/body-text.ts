import type { DocumentBuilder } from '../document/document-builder.js';

/** Its fields and base64. Other lines follow armor whose end is missing. A signed message is text after its fields. */
const ARMOR =
  /^-----BEGIN PGP (?:SIGNED MESSAGE-----\s*\n(?:\w+:.*\r?\n)*|(MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----\s*\n(?:(?:[A-Za-z\d+/=]*|\w+: .*)\r?\n)*(?:[A-Za-z\d+/=]*$|-----END PGP .*))/gm;

/**
 * Takes the lines of OpenPGP out of a text (RFC 9580, sections 6 and 7): signatures, keys, and encrypted text.
 *
 * @returns whether text was encrypted, and the rest of the text
 */
export function readArmor(source: string, builder: DocumentBuilder): { text: string; isEncrypted: boolean } {
  if (!source.includes('-----BEGIN PGP ')) return { text: source, isEncrypted: false };
  const left: string[] = [];
  let isEncrypted = false;
  const text = source.replace(ARMOR, (armor, kind: string | undefined) => {
    isEncrypted ||= kind === 'MESSAGE';
    left.push(armor);
    return '';
  });
  builder.leaveOut('hidden', left.join('\n'));
  // In signed text, a line that begins with a dash has another one before it.
  return { text: text.replace(/^- (?=-)/gm, ''), isEncrypted };
}
