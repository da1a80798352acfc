import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { decodeWords } from 'postal-mime';
import { detectEncoding } from '../text-decoding/detect-encoding.js';
import { canonicalEncoding } from '../text-decoding/encoding-names.js';

/** A field such as `Content-Type: text/plain; charset=utf-8`. */
export interface StructuredField {
  /** In lower case. */
  readonly value: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The header fields of a message or part (RFC 5322, section 2.2). */
export class MimeHeader {
  private readonly fields = new Map<string, string>();

  /** Folded lines are joined. Of a repeated field, the first one counts. */
  constructor(source: Buffer) {
    const lines = rawText(source)
      .replace(/\r?\n(?=[ \t])/g, '')
      .split(/\r?\n/);
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (name !== '' && !/\s/.test(name) && !this.fields.has(name))
        this.fields.set(name, line.slice(colon + 1).trim());
    }
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  /** A field as it is written, without encoded words decoded: addresses are split before. */
  raw(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** A field with encoded words (RFC 2047) decoded. */
  text(name: string): string {
    return decodeWords(this.raw(name));
  }

  structured(name: string): StructuredField {
    return structuredField(this.raw(name));
  }
}

/** Headers should be ASCII, but many have UTF-8 or the code page of the sender. */
function rawText(source: Buffer): string {
  return isUtf8(source) ? source.toString('utf8') : iconv.decode(source, detectEncoding(source).encoding);
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;]*))/g;

/** Parses a value with parameters, including those that are continued or have a character set (RFC 2231). */
function structuredField(field: string): StructuredField {
  const source = `${field.replace(/\([^()"]*\)/g, ' ')};`;
  const parameters = new Map<string, string>();
  const extended = new Map<
    string,
    { readonly index: number; readonly isEncoded: boolean; readonly text: string }[]
  >();
  for (const [, rawName = '', quoted, plain = ''] of source.matchAll(PARAMETER)) {
    const text = quoted === undefined ? plain.trim() : quoted.replace(/\\([^])/g, '$1');
    const [, name = '', index, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(rawName.toLowerCase()) ?? [];
    if (index === undefined && star === undefined) {
      if (!parameters.has(name)) parameters.set(name, decodeWords(text));
      continue;
    }
    const pieces = extended.get(name) ?? [];
    pieces.push({ index: Number(index ?? 0), isEncoded: star !== undefined, text });
    extended.set(name, pieces);
  }
  for (const [name, pieces] of extended) {
    pieces.sort((one, other) => one.index - other.index);
    parameters.set(name, extendedValue(pieces));
  }
  const value = source.slice(0, source.indexOf(';')).trim().toLowerCase();
  return { value, parameters };
}

/** `utf-8'en'R%C3%A9sum%C3%A9`, in pieces of which some are percent-encoded. */
function extendedValue(pieces: readonly { readonly isEncoded: boolean; readonly text: string }[]): string {
  const [first] = pieces;
  const [, charset, rest] = (first?.isEncoded === true && /^([^']*)'[^']*'([^]*)$/.exec(first.text)) || [];
  const bytes = pieces.map(({ isEncoded, text }, index) => {
    const source = index === 0 && rest !== undefined ? rest : text;
    if (!isEncoded) return Buffer.from(source);
    return Buffer.from(
      source.replace(/%([\da-f]{2})|[^]/gi, (character, hex?: string) =>
        hex === undefined
          ? Buffer.from(character).toString('latin1')
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      'latin1',
    );
  });
  const joined = Buffer.concat(bytes);
  return isUtf8(joined)
    ? joined.toString('utf8')
    : iconv.decode(joined, canonicalEncoding(charset) ?? 'windows-1252');
}
