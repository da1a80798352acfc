import type { HtmlElement } from '../html/html-tree.js';
import { parseHtml } from '../html/parse-html.js';
import {
  baseName,
  commonFolder,
  type ExportArchive,
  type ExportContents,
  type ExportDocument,
  folderOf,
  plainDocument,
  type PlacedFile,
  referenceOf,
  unescaped,
} from './export-archive.js';

/** Pages that are looked at before all are read, without those that cannot be read. */
const SAMPLE = 5;
/** The tree of a page takes up to 200 times its size. */
const MAX_PAGE_BYTES = 1024 * 1024;
const ATTACHMENTS = 'attachments/';
/** The index, and the look of pages, after the folder that has them. */
const LOOK = /^((?:[^/]+\/)*?)(?:index\.html$|(?:images|styles)\/)/;
const BREADCRUMBS = 'id="breadcrumbs"';

/** A page of a space. */
interface Page {
  readonly file: PlacedFile;
  /** The number in the name of its file, and in addresses of the wiki. */
  readonly number: string | null;
  readonly title: string;
  /** The space and the pages above it. */
  readonly ancestors: readonly string[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/**
 * Recognizes a space of Confluence that was exported as HTML: an index, and pages with the title, the way to them and the
 * content in elements with these ids.
 */
export async function openConfluenceExport(archive: ExportArchive): Promise<ExportContents | null> {
  const folders = archive.files
    .filter(({ path }) => baseName(path) === 'index.html')
    .map(({ path }) => folderOf(path));
  const candidates = archive.files.filter(
    ({ path }) =>
      path.endsWith('.html') && baseName(path) !== 'index.html' && folders.includes(folderOf(path)),
  );
  const pages: Page[] = [];
  const others: PlacedFile[] = [];
  let otherPages = 0;
  for (const file of candidates) {
    const html = file.entry.inflatedBytes > MAX_PAGE_BYTES ? null : await archive.text(file);
    const page = html === null ? null : pageOf(file, html);
    if (page === null) others.push(file);
    else pages.push(page);
    if (html !== null && page === null) otherPages++;
    if (otherPages === SAMPLE && pages.length === 0) return null;
  }
  if (pages.length === 0) return null;
  return new ConfluenceExport(archive, pages, others, commonFolder(archive, folders[0] ?? '')).read();
}

/** @returns null for what is no page */
function pageOf(file: PlacedFile, html: string): Page | null {
  if (!html.includes('main-content')) return null;
  const { body } = parseHtml(html);
  const heading = find(body, 'title-text') ?? find(body, 'title-heading');
  const content = find(body, 'main-content');
  if (heading === undefined || content === undefined) return null;
  const ancestors = linksIn(find(body, 'breadcrumbs')).map(({ text }) => text);
  // The heading begins with the name of the space.
  const [space = ''] = ancestors;
  const title = singleLine(heading.rawText);
  const isPrefixed = space !== '' && title.startsWith(`${space} : `);
  return {
    file,
    number: /(?:^|_)(\d+)\.html$/.exec(baseName(file.path))?.[1] ?? null,
    title: isPrefixed ? title.slice(`${space} : `.length) : title,
    ancestors,
    links: linksIn(find(body, 'content') ?? content),
  };
}

function find(element: HtmlElement, id: string): HtmlElement | undefined {
  if (element.attribute('id') === id) return element;
  for (const child of element.children) {
    const found = typeof child === 'string' ? undefined : find(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function linksIn(
  element: HtmlElement | undefined,
  found: { href: string; text: string }[] = [],
): typeof found {
  const href = element?.attribute('href') ?? (element?.name === 'img' ? element.attribute('src') : undefined);
  if (element !== undefined && href !== undefined) found.push({ href, text: singleLine(element.rawText) });
  for (const child of element?.children ?? []) if (typeof child !== 'string') linksIn(child, found);
  return found;
}

function singleLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

class ConfluenceExport {
  private readonly byNumber = new Map<string, PlacedFile>();
  /** Pages with a title that no other page has. */
  private readonly byTitle = new Map<string, PlacedFile | null>();
  private readonly pageFiles: ReadonlySet<PlacedFile>;
  private readonly attachments = new Map<PlacedFile, { name: string; page: Page }>();

  constructor(
    private readonly archive: ExportArchive,
    private readonly pages: readonly Page[],
    private readonly others: readonly PlacedFile[],
    private readonly root: string,
  ) {
    this.pageFiles = new Set(pages.map(({ file }) => file));
    for (const page of pages) {
      if (page.number !== null) this.byNumber.set(page.number, page.file);
      this.byTitle.set(page.title, this.byTitle.has(page.title) ? null : page.file);
      for (const { href, text } of page.links) this.nameAttachment(page, href, text);
    }
  }

  read(): ExportContents {
    const documents = this.pages.map((page): ExportDocument => {
      const links = new Set(page.links.flatMap(({ href }) => this.targetOf(page, href) ?? []));
      links.delete(page.file);
      const read = (): Promise<string | null> => this.pageHtml(page.file);
      const text = { type: 'text/html', read } as const;
      return { ...this.placed(page.file, page.title, page.ancestors), links: [...links], text };
    });
    for (const file of this.others) documents.push(plainDocument(file, this.root));
    const read = new Set([...this.pageFiles, ...this.others]);
    const folders = new Set(this.pages.map(({ file }) => folderOf(file.path)));
    for (const file of this.archive.files) {
      const look = LOOK.exec(file.path);
      if (read.has(file) || (look !== null && folders.has(look[1] ?? ''))) continue;
      if (!`/${file.path}`.includes(`/${ATTACHMENTS}`)) {
        documents.push(plainDocument(file, this.root));
        continue;
      }
      const known = this.attachments.get(file);
      const above = known === undefined ? ['attachments'] : [...known.page.ancestors, known.page.title];
      documents.push({ ...this.placed(file, known?.name ?? baseName(file.path), above), links: [] });
    }
    return { kind: 'confluence', documents, note: null };
  }

  /** A short page has more letters in the way to it than in its content, and would be read with it. */
  private async pageHtml(file: PlacedFile): Promise<string | null> {
    const html = await this.archive.text(file);
    return html === null ? null : html.replace(BREADCRUMBS, `${BREADCRUMBS} role="navigation"`);
  }

  private placed(
    file: PlacedFile,
    name: string,
    above: readonly string[],
  ): Pick<ExportDocument, 'file' | 'id' | 'name' | 'folder'> {
    return { file, id: file.path.slice(this.root.length), name, folder: above.join('/') };
  }

  /** Files are named by numbers. Links to them that end as the file does have their names. */
  private nameAttachment(page: Page, href: string, text: string): void {
    const file = this.fileAt(page, href);
    if (file === undefined || !`/${file.path}`.includes(`/${ATTACHMENTS}`)) return;
    const extension = /\.[^./]+$/.exec(file.path)?.[0].toLowerCase() ?? '';
    const isName = text !== '' && text.toLowerCase().endsWith(extension) && !text.includes('/');
    if (isName || !this.attachments.has(file))
      this.attachments.set(file, { name: isName ? text : baseName(file.path), page });
  }

  private fileAt({ file }: Page, href: string): PlacedFile | undefined {
    const reference = referenceOf(href);
    return reference === null || reference === '' ? undefined : this.archive.relativeTo(file, reference);
  }

  /** The page or attachment that a link leads to: a file of the export, or an address of the wiki with its number or title. */
  private targetOf(page: Page, href: string): PlacedFile | undefined {
    const file = this.fileAt(page, href);
    if (file !== undefined) return this.isDocument(file) ? file : undefined;
    const number = /[?&]pageId=(\d+)|\/pages\/(\d+)/.exec(href);
    const title = /\/display\/[^/]+\/([^/?#]+)/.exec(href)?.[1];
    return (
      this.byNumber.get(number?.[1] ?? number?.[2] ?? '') ??
      (title === undefined ? undefined : this.byTitle.get(unescaped(title.replaceAll('+', ' ')))) ??
      undefined
    );
  }

  private isDocument(file: PlacedFile): boolean {
    return this.attachments.has(file) || this.pageFiles.has(file);
  }
}
