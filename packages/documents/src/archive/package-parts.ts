import { posix } from 'node:path';
import { childElements, type XmlElement } from '../xml/xml-tree.js';

/** The kinds of Office files, by the folder that their parts usually have. */
export type OfficeKind = 'word' | 'ppt' | 'xl';

/**
 * Content types of main parts: documents, templates, and both with macros (ECMA-376 Part 1, 15.2). The binary
 * workbooks of Excel have no XML.
 */
const KINDS: readonly (readonly [RegExp, OfficeKind])[] = [
  [/\b(?:wordprocessingml|ms-word)\./i, 'word'],
  [/\b(?:presentationml|ms-powerpoint)\./i, 'ppt'],
  [/\b(?:spreadsheetml|ms-excel)\./i, 'xl'],
];

/**
 * The name of the part that is the target of a relationship (part 2, 9.3): relative to the folder of the source, or to the
 * package.
 */
export function targetPart(folder: string, target: string): string {
  const [name = ''] = target.replaceAll('\\', '/').split(/[?#]/, 1);
  const path = unescapeName(name);
  return path.startsWith('/') ? posix.normalize(path).replace(/^\/+/, '') : posix.join(folder, path);
}

/** A key that is equal for equivalent names of parts: case and escapes do not matter (part 2, 9.1.1). */
export function partKey(name: string): string {
  return unescapeName(name).normalize('NFC').toLowerCase();
}

/**
 * The name of a part of a package by its type: `officeDocument` is the main part.
 *
 * @param relationships those of the package, from `_rels/.rels`
 */
export function packagePartOf(relationships: XmlElement | undefined, part: string): string | undefined {
  for (const { attributes } of childElements(relationships, 'Relationship')) {
    const { Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    if (type.toLowerCase().endsWith(`/${part.toLowerCase()}`) && mode !== 'External')
      return targetPart('', target);
  }
  return undefined;
}

/**
 * Finds the content type of a part (part 2, 9.1.2): its own, else that of its extension.
 *
 * @param types the content types of the package, from `[Content_Types].xml`
 */
export function contentTypesOf(types: XmlElement | undefined): (part: string) => string {
  const found = new Map(
    childElements(types).map(({ name, attributes: { PartName = '', Extension = '', ContentType = '' } }) => [
      partKey(name === 'Override' ? targetPart('', PartName) : `.${Extension}`),
      ContentType.trim(),
    ]),
  );
  return (part) => found.get(partKey(part)) ?? found.get(posix.extname(partKey(part))) ?? '';
}

/** The kind of a main part by its content type, else by its folder. */
export function officeKindOf(part: string, types: XmlElement | undefined): OfficeKind | undefined {
  const contentType = contentTypesOf(types)(part);
  if (/main\+xml$/i.test(contentType)) return KINDS.find(([pattern]) => pattern.test(contentType))?.[1];
  return (['word', 'ppt', 'xl'] as const).find((folder) => partKey(part).startsWith(`${folder}/`));
}

function unescapeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
