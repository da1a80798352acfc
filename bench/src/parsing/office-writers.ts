import {
  Document,
  Footer,
  HeadingLevel,
  type ISectionOptions,
  Packer,
  Paragraph,
  PageNumber,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import ExcelJS from 'exceljs';
import PptxGen from 'pptxgenjs';
import type { FileType } from '@citewell/documents/file-type';
import { seededRandom } from '@citewell/retrieval';
import { type RandomDocument, type RandomPage, type Section, wordsIn } from './random-document.js';

// The types describe CommonJS, but the package is loaded as an ES module.
const Presentation = PptxGen as unknown as typeof PptxGen.default;
type Slide = ReturnType<PptxGen.default['addSlide']>;

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Writes a document with npm's `docx`: a section for each page, and the words of its head in the footer. */
async function writeWord({ pages, head }: RandomDocument): Promise<Uint8Array<ArrayBuffer>> {
  const number = new TextRun({ children: ['\tPage ', PageNumber.CURRENT] });
  const footer = new Footer({
    children: [new Paragraph({ children: [new TextRun(head.join(' ')), number] })],
  });
  const sections = pages.map((page): ISectionOptions => ({
    children: page.sections.flatMap(blocksOf),
    footers: { default: footer },
  }));
  return Uint8Array.from(await Packer.toBuffer(new Document({ sections })));
}

function blocksOf(section: Section): (Paragraph | Table)[] {
  switch (section.kind) {
    case 'heading':
      return [new Paragraph({ text: section.words.join(' '), heading: HeadingLevel.HEADING_1 })];
    case 'paragraph':
      return [new Paragraph({ children: section.words.map((word) => new TextRun(`${word} `)) })];
    case 'columns':
      return section.columns.map((words) => new Paragraph(words.join(' ')));
    case 'list':
      return section.items.map((words) => new Paragraph({ text: words.join(' '), bullet: { level: 0 } }));
    case 'table':
    case 'form':
      return [
        new Table({
          rows: section.rows.map(
            (cells) =>
              new TableRow({
                children: cells.map((text) => new TableCell({ children: [new Paragraph(text)] })),
              }),
          ),
        }),
        new Paragraph(''),
      ];
  }
}

/** Writes a document with exceljs: a sheet for each page, whose name has the words of the head. */
async function writeWorkbook({ pages, head }: RandomDocument): Promise<Uint8Array<ArrayBuffer>> {
  const workbook = new ExcelJS.Workbook();
  for (const [index, { sections }] of pages.entries()) {
    const sheet = workbook.addWorksheet(`${head.join(' ').slice(0, MAX_SHEET_NAME)} ${index + 1}`);
    if (index === 0) sheet.addRow([head.join(' ')]);
    for (const section of sections) {
      if (section.kind === 'table' || section.kind === 'form')
        for (const row of section.rows) sheet.addRow(row);
      else if (section.kind === 'list') for (const words of section.items) sheet.addRow([words.join(' ')]);
      else sheet.addRow([wordsIn(section).join(' ')]);
      sheet.addRow([]);
    }
  }
  return Uint8Array.from(Buffer.from(await workbook.xlsx.writeBuffer()));
}

/** The limit of Excel is 31 characters. */
const MAX_SHEET_NAME = 25;
const SLIDE = { width: 10, height: 5.6, margin: 0.4, gap: 0.3, title: 0.7 };

/** Writes a document with pptxgenjs: a slide for each page, whose shapes are added in a random order. */
async function writeSlides(
  { pages, head, script }: RandomDocument,
  seed: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const random = seededRandom(seed);
  const presentation = new Presentation();
  for (const [index, page] of pages.entries()) {
    const slide = presentation.addSlide();
    const shapes = shapesOf(page, slide, script === 'arabic');
    if (index === 0)
      shapes.push(() => slide.addText(head.join(' '), { x: SLIDE.margin, y: 0.1, w: 9, h: 0.5 }));
    for (const [, add] of shapes.map((add) => [random(), add] as const).toSorted(([a], [b]) => a - b)) add();
  }
  // The type of the output is that of its option.
  return Uint8Array.from((await presentation.write({ outputType: 'nodebuffer' })) as Buffer);
}

/** Sections below each other, each with an equal share of the slide. */
function shapesOf({ sections }: RandomPage, slide: Slide, isRightToLeft: boolean): (() => void)[] {
  const height = (SLIDE.height - SLIDE.title) / Math.max(1, sections.length);
  const width = SLIDE.width - 2 * SLIDE.margin;
  return sections.flatMap((section, index) => {
    const place = { y: SLIDE.title + index * height, h: height - SLIDE.gap };
    if (section.kind === 'table' || section.kind === 'form') {
      const rows = section.rows.map((cells) => cells.map((text) => ({ text })));
      return [() => slide.addTable(rows, { ...place, x: SLIDE.margin, w: width })];
    }
    const texts = section.kind === 'columns' ? section.columns : [wordsIn(section)];
    const share = width / texts.length;
    return texts.map((words, index) => () => {
      const column = isRightToLeft ? texts.length - 1 - index : index;
      slide.addText(words.join(' '), { ...place, x: SLIDE.margin + column * share, w: share - SLIDE.gap });
    });
  });
}

interface OfficeWriter {
  readonly name: string;
  readonly fileType: FileType;
  readonly write: (document: RandomDocument, seed: number) => Promise<Uint8Array<ArrayBuffer>>;
}

export const OFFICE_WRITERS: readonly OfficeWriter[] = [
  { name: 'docx', fileType: `${OFFICE}.wordprocessingml.document`, write: writeWord },
  { name: 'xlsx', fileType: `${OFFICE}.spreadsheetml.sheet`, write: writeWorkbook },
  { name: 'pptx', fileType: `${OFFICE}.presentationml.presentation`, write: writeSlides },
];
