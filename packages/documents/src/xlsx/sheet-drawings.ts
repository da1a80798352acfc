import type { DocumentBuilder } from '../document/document-builder.js';
import { EmbeddedGraphics } from '../office/embedded-graphics.js';
import type { OfficePackage } from '../office/office-package.js';
import { descendants, textContent } from '../xml/xml-tree.js';
import { sheetComments } from './sheet-comments.js';

const PARTS: ReadonlySet<string> = new Set(['drawing', 'comments', 'threadedComment']);

/** Whether a sheet has a drawing or cell comments. */
export function hasDrawings(office: OfficePackage, sheet: string): boolean {
  return [...office.relationships(sheet).values()].some(({ type }) => PARTS.has(type));
}

/** Adds text boxes, charts, diagrams and cell comments of a sheet, each part once per file. */
export function addDrawings(
  office: OfficePackage,
  sheet: string,
  { builder, persons }: { builder: DocumentBuilder; persons: ReadonlyMap<string, string> },
): void {
  for (const { type, target } of office.relationships(sheet).values()) {
    if (type === 'drawing' && office.isFirstVisit(target)) addDrawing(office, target, builder);
  }
  for (const comment of sheetComments(office, sheet, persons)) builder.block('paragraph', comment);
}

function addDrawing(office: OfficePackage, part: string, builder: DocumentBuilder): void {
  const drawing = office.tree(part, 'wsDr');
  for (const body of drawing === undefined ? [] : descendants(drawing, 'txBody')) {
    const lines = [...descendants(body, 'p')].map((line) =>
      [...descendants(line, 't')].map(textContent).join(''),
    );
    builder.block('paragraph', lines.join('\n'));
  }
  new EmbeddedGraphics(office, office.relationships(part), builder).addAll();
}
