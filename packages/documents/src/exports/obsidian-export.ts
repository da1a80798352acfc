import { readFrontMatter } from '../markdown/front-matter.js';
import {
  baseName,
  commonFolder,
  type ExportArchive,
  type ExportContents,
  type ExportDocument,
  folderOf,
  markdownLinks,
  type PlacedFile,
  plainDocument,
  referenceOf,
  withoutExtension,
} from './export-archive.js';

const SETTINGS = /(?:^|\/)\.obsidian\//;
const NOTE = /\.(?:md|markdown)$/i;
/** Notes that are searched for links, in an archive without settings. */
const SAMPLE = 50;
/** `[[Note#Heading|label]]`. A single bracket is part of the name. */
const LINK = /(!?)\[\[((?:[^[\]\n]|\](?!\]))+)\]\]/g;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/** Of a picture: its width, or width and height. */
const SIZE = /^\d+(?:x\d+)?$/;

/** In characters. The time to read YAML grows faster than its length. */
const MAX_FRONT_MATTER = 8_192;
const MAX_PROPERTIES = 30;
const MAX_PROPERTY_LENGTH = 500;

interface Note {
  readonly file: PlacedFile;
  readonly links: readonly string[];
  readonly references: readonly string[];
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Recognizes a vault of Obsidian: notes in Markdown beside a folder of settings, or notes most of whose links in double
 * brackets name another file of the archive.
 */
export async function openObsidianVault(archive: ExportArchive): Promise<ExportContents | null> {
  const notes = archive.files.filter(({ path }) => NOTE.test(path));
  if (notes.length === 0) return null;
  const settings = archive.names.find((name) => SETTINGS.test(name));
  const vault = settings === undefined ? '' : settings.slice(0, settings.indexOf('.obsidian/'));
  const root = commonFolder(archive, vault);
  const index = new VaultIndex(archive.files, root);
  if (settings === undefined) {
    const [linked, all] = await countLinks(archive, notes, index);
    if (linked === 0 || linked * 2 < all) return null;
  }
  const read: Note[] = [];
  for (const file of notes) {
    const note = await readNote(archive, file);
    read.push(note);
    for (const alias of note.aliases) index.addAlias(alias, file);
  }
  const byFile = new Map(read.map((note) => [note.file, note]));
  const documents = archive.files.map((file): ExportDocument => {
    const note = byFile.get(file);
    const plain = plainDocument(file, root);
    return note === undefined ? plain : noteDocument(archive, plain, note, index);
  });
  return { kind: 'obsidian', documents, note: null };
}

function noteDocument(
  archive: ExportArchive,
  plain: ExportDocument,
  { file, links, references, properties }: Note,
  index: VaultIndex,
): ExportDocument {
  const targets = new Set([
    ...links.flatMap((link) => index.find(file, link) ?? []),
    ...references.flatMap(
      (reference) => archive.relativeTo(file, reference) ?? index.find(file, reference) ?? [],
    ),
  ]);
  targets.delete(file);
  return {
    ...plain,
    name: withoutExtension(plain.name),
    links: [...targets],
    properties,
    text: { type: 'text/markdown', read: () => shownNote(archive, file) },
  };
}

async function shownNote(archive: ExportArchive, file: PlacedFile): Promise<string | null> {
  const markdown = await archive.text(file);
  return markdown === null ? null : shownText(markdown).text;
}

/** @returns how many links of the first notes name a file of the archive, and how many links they have */
async function countLinks(
  archive: ExportArchive,
  notes: readonly PlacedFile[],
  index: VaultIndex,
): Promise<[linked: number, all: number]> {
  let [linked, all] = [0, 0];
  for (const file of notes.slice(0, SAMPLE)) {
    for (const target of shownText((await archive.text(file)) ?? '').targets) {
      all++;
      if (index.find(file, target) !== undefined) linked++;
    }
  }
  return [linked, all];
}

async function readNote(archive: ExportArchive, file: PlacedFile): Promise<Note> {
  const markdown = (await archive.text(file)) ?? '';
  const { text, targets } = shownText(markdown);
  const { record } = readFrontMatter(
    text
      .slice(0, MAX_FRONT_MATTER)
      .replaceAll('\r\n', '\n')
      .replace(/^\uFEFF/, ''),
  );
  return {
    file,
    links: targets,
    references: Array.from(markdownLinks(markdown), referenceOf).filter((reference) => reference !== null),
    aliases: [record['aliases'] ?? record['alias']].flat().filter((alias) => typeof alias === 'string'),
    properties: propertiesOf(record),
  };
}

/** The fields of a note that are short texts, or lists of them. */
function propertiesOf(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isShort = (value: unknown): boolean =>
    typeof value === 'string' && value !== '' && value.length <= MAX_PROPERTY_LENGTH;
  const kept = Object.entries(record)
    .filter(
      ([, value]) =>
        isShort(value) ||
        (Array.isArray(value) && value.length > 0 && value.length <= MAX_PROPERTIES && value.every(isShort)),
    )
    .slice(0, MAX_PROPERTIES);
  return Object.fromEntries(kept);
}

/**
 * A note as it is shown: links in double brackets are their labels.
 *
 * @returns also what the links name. Code has no links
 */
function shownText(markdown: string): { text: string; targets: string[] } {
  const targets: string[] = [];
  let fence: string | null = null;
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark !== undefined && mark.startsWith(fence)) fence = null;
    else if (fence === null && line.includes('[[')) return shownLine(line, targets);
    return line;
  });
  return { text: lines.join('\n'), targets };
}

/** Every second part of a line between back quotes is code, if there is another back quote. */
function shownLine(line: string, targets: string[]): string {
  const parts = line.split(/(`+)/);
  const lastOf = new Map(parts.map((part, index) => [part, index]));
  let open: string | null = null;
  return parts
    .map((part, index) => {
      if (part.startsWith('`')) {
        if (open === null && (lastOf.get(part) ?? 0) > index) open = part;
        else if (open === part) open = null;
        return part;
      }
      return open === null
        ? part.replaceAll(LINK, (_, mark, link: string) => labelOf(link, mark === '!', targets))
        : part;
    })
    .join('');
}

function labelOf(link: string, isEmbed: boolean, targets: string[]): string {
  const bar = link.indexOf('|');
  // A bar in a table is escaped.
  const target = (bar < 0 ? link : link.slice(0, bar)).replace(/\\$/, '').trim();
  const label = bar < 0 ? '' : link.slice(link.lastIndexOf('|') + 1).trim();
  const [name = '', ...headings] = target.split('#').map((part) => part.trim());
  if (name !== '') targets.push(name);
  if (label !== '' && !(isEmbed && SIZE.test(label))) return label;
  const shown = name.replace(NOTE, '');
  return [shown, ...headings.filter((heading) => !heading.startsWith('^'))]
    .filter((part) => part !== '')
    .join(' > ');
}

/** Finds files by what links call them: the end of their path, without the extension of notes, in any case. */
class VaultIndex {
  private readonly byEnd = new Map<string, PlacedFile>();
  private readonly byAlias = new Map<string, PlacedFile>();

  constructor(
    files: readonly PlacedFile[],
    private readonly root: string,
  ) {
    // Of files with the same name, the one with the shortest path is meant.
    for (const file of files.toSorted((a, b) => a.path.length - b.path.length)) {
      const path = file.path.slice(this.root.length);
      for (const end of new Set([
        path,
        baseName(path),
        path.replace(NOTE, ''),
        baseName(path).replace(NOTE, ''),
      ]))
        if (!this.byEnd.has(keyOf(end))) this.byEnd.set(keyOf(end), file);
    }
  }

  addAlias(alias: string, file: PlacedFile): void {
    if (!this.byAlias.has(keyOf(alias))) this.byAlias.set(keyOf(alias), file);
  }

  find({ path }: PlacedFile, target: string): PlacedFile | undefined {
    const beside = keyOf(`${folderOf(path).slice(this.root.length)}${target.replace(/^\.\//, '')}`);
    const key = keyOf(target);
    return (
      this.byEnd.get(key) ??
      this.byEnd.get(beside) ??
      (key.includes('/') ? this.byEnd.get(baseName(key)) : undefined) ??
      this.byAlias.get(key)
    );
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/^\/+/, '');
}
