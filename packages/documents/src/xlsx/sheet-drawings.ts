import type { DocumentBuilder } from '../document/document-builder.js';
import { commentText } from '../document/comment.js';
import { EmbeddedGraphics } from '../office/embedded-graphics.js';
import type { OfficePackage } from '../office/office-package.js';
import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/** Whether a sheet has a drawing or cell comments. */
export function hasDrawings(office: OfficePackage, sheet: string): boolean {
  return [...office.relationships(sheet).values()].some(
    ({ type }) => type === 'drawing' || type === 'comments',
  );
}

/** Adds text boxes, charts, diagrams and cell comments of a sheet, each part once per file. */
export function addDrawings(office: OfficePackage, sheet: string, builder: DocumentBuilder): void {
  for (const { type, target } of office.relationships(sheet).values()) {
    if (!['drawing', 'comments'].includes(type) || !office.isFirstVisit(target)) continue;
    if (type === 'drawing') addDrawing(office, target, builder);
    else {
      for (const comment of commentsOf(office.tree(target, 'comments'))) builder.block('paragraph', comment);
    }
  }
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

/** Cell comments (ECMA-376 18.7), each with the reference of its cell. */
function commentsOf(comments: XmlElement | undefined): string[] {
  const list = descendant(comments, 'authors');
  const authors = (list === undefined ? [] : childElements(list, 'author')).map(textContent);
  const entries = descendant(comments, 'commentList');
  return (entries === undefined ? [] : childElements(entries, 'comment')).map((comment) => {
    const { ref = '', authorId } = comment.attributes;
    const text = [...descendants(comment, 't')].map(textContent).join('');
    const formatted = commentText({ author: authors[Number(authorId)], text });
    return formatted === '' ? '' : `${ref} ${formatted}`.trim();
  });
}
