import type { MetadataValue } from '../document/document.js';

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, MetadataValue>;
  /** The Markdown after the front matter. */
  readonly body: string;
}

const FENCED = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/;
const FIELD = /^([\w][\w .-]*?)\s*:\s+(.+)$/;

/**
 * Reads the block between `---` lines at the beginning of a file. Only scalar fields are read, which avoids
 * the risks of a YAML parser. A block without any field is not front matter: the `---` is a thematic break.
 */
export function readFrontMatter(markdown: string): FrontMatter {
  const match = FENCED.exec(markdown);
  const fields = new Map<string, MetadataValue>();
  for (const line of match?.[1]?.split('\n') ?? []) {
    const [, key, value] = FIELD.exec(line) ?? [];
    if (key !== undefined && value !== undefined && !/^[[{|>&*]/.test(value))
      fields.set(key, scalar(value.trim()));
  }
  if (match === null || fields.size === 0) return { fields: new Map(), body: markdown };
  return { fields, body: markdown.slice(match[0].length) };
}

function scalar(value: string): MetadataValue {
  const quoted = /^(["'])(.*)\1$/.exec(value);
  if (quoted !== null) return quoted[2] ?? '';
  if (value === 'true' || value === 'false') return value === 'true';
  return value;
}
