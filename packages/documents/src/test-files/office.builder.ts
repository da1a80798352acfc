import { strToU8, type Zippable, zipSync } from 'fflate';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Builds a zip archive of texts or bytes. EPUB and OpenDocument files begin with `mimetype`, uncompressed. */
export function buildZip(entries: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const files: Zippable = {};
  for (const [name, content] of Object.entries(entries)) {
    const bytes = typeof content === 'string' ? strToU8(content) : content;
    files[name] = [bytes, { level: name === 'mimetype' ? 0 : 6 }];
  }
  return Uint8Array.from(zipSync(files));
}

/** @param targets id → [last segment of the type, target] */
export function relationships(
  targets: Readonly<Record<string, readonly [type: string, target: string]>>,
): string {
  const rows = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;
}

/**
 * Builds a Word file.
 *
 * @param body the children of `w:body`
 * @param parts further parts by name
 */
export function buildDocx(
  body: string,
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array<ArrayBuffer> {
  return buildZip({
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `${DECLARATION}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

export function wordParagraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/**
 * Builds a presentation.
 *
 * @param slides the children of each slide's shape tree
 * @param options.order slide numbers in presentation order
 * @param options.notes speaker notes by slide number
 * @param options.parts further or replacement parts by name
 */
export function buildPptx(
  slides: readonly string[],
  options: {
    order?: readonly number[];
    notes?: Readonly<Record<number, string>>;
    parts?: Readonly<Record<string, string | Uint8Array>>;
  } = {},
): Uint8Array<ArrayBuffer> {
  const order = options.order ?? slides.map((_, index) => index + 1);
  const entries: Record<string, string> = {
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `${DECLARATION}<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${order
      .map((number) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(
        slides.map((_, index) => [`rId${index + 1}`, ['slide', `slides/slide${index + 1}.xml`]]),
      ),
    ),
  };
  for (const [index, shapes] of slides.entries()) {
    entries[`ppt/slides/slide${index + 1}.xml`] =
      `${DECLARATION}<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  }
  for (const [number, text] of Object.entries(options.notes ?? {})) {
    entries[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships({
      rId1: ['notesSlide', `../notesSlides/notesSlide${number}.xml`],
    });
    entries[`ppt/notesSlides/notesSlide${number}.xml`] =
      `${DECLARATION}<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${slideShape([text], 'body')}</p:spTree></p:cSld></p:notes>`;
  }
  return buildZip({ ...entries, ...options.parts });
}

/** A shape with paragraphs; a placeholder if a type is given. */
export function slideShape(paragraphs: readonly string[], placeholder?: string): string {
  const ph = placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`;
  const text = paragraphs.map((paragraph) => `<a:p><a:r><a:t>${paragraph}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

export interface SheetSpec {
  readonly name: string;
  /** The children of `sheetData`. */
  readonly rows: string;
  /** Elements after `sheetData`, such as `mergeCells`. */
  readonly after?: string;
  readonly state?: 'hidden' | 'veryHidden';
}

/**
 * Builds a workbook.
 *
 * @param options.styles the children of `styleSheet`
 * @param options.parts further or replacement parts by name
 */
export function buildXlsx(
  sheets: readonly SheetSpec[],
  options: {
    strings?: readonly string[];
    styles?: string;
    parts?: Readonly<Record<string, string | Uint8Array>>;
  } = {},
): Uint8Array<ArrayBuffer> {
  const entries: Record<string, string> = {
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns:r="r"><sheets>${sheets
      .map(({ name, state }, index) => {
        const hidden = state === undefined ? '' : ` state="${state}"`;
        return `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"${hidden}/>`;
      })
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        sheets.map((_, index) => [
          `rId${index + 1}`,
          ['worksheet', `worksheets/sheet${index + 1}.xml`] as const,
        ]),
      ),
      rId98: ['sharedStrings', 'sharedStrings.xml'],
      rId99: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': `${DECLARATION}<sst>${(options.strings ?? []).map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${DECLARATION}<styleSheet>${options.styles ?? ''}</styleSheet>`,
  };
  for (const [index, { rows, after = '' }] of sheets.entries()) {
    entries[`xl/worksheets/sheet${index + 1}.xml`] =
      `${DECLARATION}<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;
  }
  return buildZip({ ...entries, ...options.parts });
}
