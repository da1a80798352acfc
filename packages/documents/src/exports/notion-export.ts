import {
  baseName,
  commonFolder,
  comparable,
  type ExportArchive,
  type ExportContents,
  type ExportDocument,
  folderOf,
  markdownLinks,
  type PlacedFile,
  plainDocument,
  referenceOf,
  unescaped,
  withoutExtension,
} from './export-archive.js';

/** Pages whose titles are compared with their names, without those that cannot be read. */
const SAMPLE = 20;
const HEAD_BYTES = 4096;
/** Pages in HTML begin with their styles. */
const HTML_HEAD_BYTES = 128 * 1024;
const ID_LENGTH = 32;
const ID = /^[\da-f]{32}$/;
const DIGITS = /[\da-f]+/g;
/** The folder around an export, with an id that is another one each time. */
const EXPORT_FOLDER = /^Export[A-Za-z]*-[\da-f-]{36}/;
const ALL_ROWS = '_all';
/** Databases with the same name whose pages are in one folder. */
const MAX_TABLES_OF_FOLDER = 10;
const HTML_LINK = /(?:href|src)="([^"<>]*)"/g;
/** An address after the name of a page, as in cells that name other pages. */
const CELL_ADDRESS = / \(([^()\s]+)\)/g;

/** A page or database. */
interface Page {
  readonly file: PlacedFile;
  /** In the name of its file, which is shortened and without signs that files cannot have. */
  readonly fileTitle: string;
  readonly id: string;
  readonly extension: string;
  readonly hasAllRows: boolean;
  title: string;
}

/**
 * Recognizes an export of Notion: pages whose file is named by the title, a blank and an id of 32 digits, and that begin
 * with this title. Databases are tables with a folder of pages, one for each row.
 */
export async function openNotionExport(archive: ExportArchive): Promise<ExportContents | null> {
  const pages = archive.files.flatMap((file) => pageOf(file) ?? []);
  const texts = pages.filter(({ extension }) => extension !== 'csv');
  const hasTwoTables = pages.some(({ hasAllRows }) => hasAllRows);
  if (pages.length === 0 || (texts.length === 0 && !hasTwoTables)) return null;
  let [fitting, others] = [0, 0];
  for (const page of texts) {
    const fits = await hasOwnTitle(archive, page);
    if (fits === true) fitting++;
    if (fits === false) others++;
    if (fitting + others === SAMPLE) break;
  }
  const isExport = fitting >= others && (fitting > 0 || hasTwoTables);
  return isExport ? await new NotionExport(archive, pages).read() : null;
}

function pageOf(file: PlacedFile): Page | null {
  const name = baseName(file.path);
  const extension = /\.(md|csv|html)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  const stem = withoutExtension(name);
  const hasAllRows = extension === 'csv' && stem.endsWith(ALL_ROWS);
  const named = splitId(hasAllRows ? stem.slice(0, -ALL_ROWS.length) : stem);
  if (named === null) return null;
  return { file, fileTitle: named.title, title: named.title, id: named.id, extension, hasAllRows };
}

/** The title and the id in a name; null if it has no id. */
function splitId(name: string): { title: string; id: string } | null {
  const id = name.slice(-ID_LENGTH).toLowerCase();
  const before = name.slice(0, -ID_LENGTH);
  return ID.test(id) && (before === '' || before.endsWith(' ')) ? { title: before.trim(), id } : null;
}

/**
 * Whether a page begins with the title in its name, or, as HTML, has its id.
 *
 * @returns null for a page that cannot be read
 */
async function hasOwnTitle(archive: ExportArchive, page: Page): Promise<boolean | null> {
  const isHtml = page.extension === 'html';
  const beginning = await archive.text(page.file, isHtml ? HTML_HEAD_BYTES : HEAD_BYTES);
  if (beginning === null) return null;
  if (isHtml) return beginning.replaceAll('-', '').includes(`id="${page.id}"`);
  const title = headingOf(beginning);
  if (title === null) return page.fileTitle === '' || page.fileTitle === 'Untitled';
  return comparable(title).startsWith(comparable(page.fileTitle));
}

function headingOf(markdown: string): string | null {
  return /^\uFEFF?\s*# ([^\n]*)/.exec(markdown)?.[1]?.trim() ?? null;
}

class NotionExport {
  private readonly root: string;
  /** Pages, and tables without a page of the same id. */
  private readonly byId = new Map<string, Page>();
  /** Of a database, the table of all rows, or else that of a view. */
  private readonly tables = new Map<string, Page>();
  /** Titles of pages by the path of their file without its extension, with and without the id. */
  private readonly titles = new Map<string, string>();

  constructor(
    private readonly archive: ExportArchive,
    private readonly pages: readonly Page[],
  ) {
    const first = archive.files[0]?.path.split('/', 1)[0] ?? '';
    this.root = EXPORT_FOLDER.test(first) ? commonFolder(archive, `${first}/`) : '';
  }

  async read(): Promise<ExportContents> {
    for (const page of this.pages) {
      if (page.extension === 'md') {
        const heading = headingOf((await this.archive.text(page.file, HEAD_BYTES)) ?? '');
        if (heading !== null && heading !== '') page.title = heading;
      }
      if (page.title === '') page.title = 'Untitled';
      if (page.extension !== 'csv') this.byId.set(page.id, page);
      else if (page.hasAllRows || !this.tables.has(page.id)) this.tables.set(page.id, page);
      const folder = folderOf(page.file.path);
      this.titles.set(withoutExtension(page.file.path), page.title);
      if (!this.titles.has(`${folder}${page.fileTitle}`))
        this.titles.set(`${folder}${page.fileTitle}`, page.title);
    }
    for (const [id, table] of this.tables) if (!this.byId.has(id)) this.byId.set(id, table);
    const rows = await this.rowsWithoutText();
    const pageOfFile = new Map(this.pages.map((page) => [page.file, page]));
    const documents: ExportDocument[] = [];
    for (const file of this.archive.files) {
      const page = pageOfFile.get(file);
      if (page === undefined) documents.push(this.attachment(file));
      else if (page.extension === 'csv' ? this.tables.get(page.id) === page : !rows.has(page.id))
        documents.push(await this.document(page, rows));
    }
    return { kind: 'notion', documents, note: null };
  }

  /**
   * The pages of databases that have only properties, with their database: the row in the table says the same.
   */
  private async rowsWithoutText(): Promise<ReadonlyMap<string, Page>> {
    const rows = new Map<string, Page>();
    const pages = Map.groupBy(
      this.pages.filter(({ extension }) => extension === 'md'),
      ({ file }) => folderOf(file.path),
    );
    const uses = new Map<string, number>();
    for (const table of this.tables.values()) {
      const text = (await this.archive.text(table.file)) ?? '';
      const columns = columnsOf(text);
      const stem = withoutExtension(table.file.path);
      const folder = table.hasAllRows ? stem.slice(0, -ALL_ROWS.length) : stem;
      const folders = new Set([`${folder}/`, `${folderOf(folder)}${table.fileTitle}/`]);
      for (const one of folders) uses.set(one, (uses.get(one) ?? 0) + 1);
      const near = [...folders].filter((one) => (uses.get(one) ?? 0) <= MAX_TABLES_OF_FOLDER);
      for (const page of near.flatMap((one) => pages.get(one) ?? [])) {
        const markdown = await this.archive.text(page.file);
        const isRow = markdown !== null && hasOnlyProperties(markdown, columns);
        if (isRow && text.includes(page.title.replaceAll('"', '""'))) rows.set(page.id, table);
      }
    }
    return rows;
  }

  private async document(page: Page, rows: ReadonlyMap<string, Page>): Promise<ExportDocument> {
    const { file, extension } = page;
    const name = extension === 'csv' ? `${page.title}.csv` : page.title;
    const text = await this.archive.text(file);
    const links = new Set<PlacedFile>();
    for (const href of text === null ? [] : hrefsOf(text, extension)) {
      const reference = referenceOf(href);
      const place = reference === null ? undefined : this.archive.relativeTo(file, reference);
      const id = idIn(href);
      const page = id === null ? undefined : (rows.get(id) ?? this.byId.get(id));
      const target = page?.file ?? place;
      if (target !== undefined && target !== file) links.add(target);
    }
    return {
      ...this.placed(file, name),
      links: [...links],
      ...(extension === 'csv' && text !== null
        ? { text: { type: 'text/csv', read: () => this.tableText(file) } }
        : {}),
    };
  }

  private async tableText(file: PlacedFile): Promise<string | null> {
    const text = await this.archive.text(file);
    if (text === null) return null;
    // Cells name other pages as `Title (address)`.
    return text.replaceAll(CELL_ADDRESS, (whole, address: string) =>
      this.byId.has(idIn(address) ?? '') ? '' : whole,
    );
  }

  private attachment(file: PlacedFile): ExportDocument {
    const { name } = plainDocument(file, '');
    return { ...this.placed(file, name), links: [] };
  }

  private placed(file: PlacedFile, name: string): Pick<ExportDocument, 'file' | 'id' | 'name' | 'folder'> {
    const folders = folderOf(file.path.slice(this.root.length)).split('/').slice(0, -1);
    let at = this.root;
    const parents = folders.map((folder) => {
      at += folder;
      const title = this.titles.get(at) ?? splitId(folder)?.title ?? folder;
      at += '/';
      return title;
    });
    return { file, id: file.path.slice(this.root.length), name, folder: parents.join('/') };
  }
}

function* hrefsOf(text: string, extension: string): Generator<string> {
  if (extension === 'md') yield* markdownLinks(text);
  if (extension === 'html') for (const [, href = ''] of text.matchAll(HTML_LINK)) yield href;
  if (extension === 'csv') for (const [, href = ''] of text.matchAll(CELL_ADDRESS)) yield href;
}

/** The last id in the last part of an address; null if there is none. */
function idIn(href: string): string | null {
  const last = (baseName(unescaped(href)).match(DIGITS) ?? []).findLast(({ length }) => length >= ID_LENGTH);
  return last?.slice(-ID_LENGTH) ?? null;
}

/** The names in the first row of a table. */
function columnsOf(csv: string): ReadonlySet<string> {
  const row =
    csv
      .slice(0, HEAD_BYTES)
      .replace(/^\uFEFF/, '')
      .split('\n', 1)[0] ?? '';
  const cells = row.matchAll(/"((?:[^"]|"")*)"|([^",\r]+)/g);
  return new Set(
    Array.from(cells, ([, quoted, plain = '']) => (quoted ?? plain).replaceAll('""', '"').trim()),
  );
}

function hasOnlyProperties(markdown: string, columns: ReadonlySet<string>): boolean {
  const [heading = '', ...lines] = markdown.split('\n').filter((line) => line.trim() !== '');
  return (
    headingOf(heading) !== null &&
    lines.every((line) => {
      const name = line.slice(0, Math.max(0, line.indexOf(':'))).trim();
      // A column may have no name.
      return name !== '' && columns.has(name);
    })
  );
}
