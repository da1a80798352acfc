import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { EmbeddedGraphics } from '../office/embedded-graphics.js';
import { OfficePackage } from '../office/office-package.js';
import { childElements, descendant } from '../xml/xml-tree.js';
import { CommentAuthors, commentsOf } from './slide-comments.js';
import { addShapes, notesText, titleOf } from './slide-shapes.js';

/**
 * Reads presentations (ECMA-376, PresentationML): slides in presentation order. The page is the slide number.
 */
export const pptxParser: DocumentParser = {
  parse({ bytes, onProgress }, builder) {
    const office = new OfficePackage(bytes);
    office.addMetadata(builder);
    const main = office.mainPart('ppt/presentation.xml');
    const slides = slidesInOrder(office, main);
    const authors = new CommentAuthors(office, main);
    builder.setPageCount(slides.length);
    for (const [index, slide] of slides.entries()) {
      builder.beginPage(index + 1).leaveHeadings();
      addSlide(office, slide, authors, builder);
      onProgress({ done: index + 1, total: slides.length });
    }
  },
};

function slidesInOrder(office: OfficePackage, main: string): string[] {
  const relationships = office.relationships(main);
  const list = descendant(office.tree(main, 'presentation'), 'sldIdLst');
  const ids = list === undefined ? [] : childElements(list, 'sldId').map((slide) => slide.attributes['r:id']);
  return ids.flatMap((id) => {
    const target = id === undefined ? undefined : relationships.get(id)?.target;
    return target !== undefined && office.has(target) ? [target] : [];
  });
}

function addSlide(
  office: OfficePackage,
  part: string,
  authors: CommentAuthors,
  builder: DocumentBuilder,
): void {
  const tree = descendant(office.tree(part, 'sld'), 'cSld', 'spTree');
  const relationships = office.relationships(part);
  if (tree !== undefined) {
    builder.heading(1, titleOf(tree) ?? '');
    addShapes(tree, builder, new EmbeddedGraphics(office, relationships, builder));
  }
  for (const { type, target } of relationships.values()) {
    if (type === 'notesSlide') {
      const page = descendant(office.tree(target, 'notes'), 'cSld', 'spTree');
      if (page !== undefined) builder.block('paragraph', notesText(page));
    } else if (type === 'comments') {
      for (const comment of commentsOf(office.tree(target, 'cmLst'), authors)) {
        builder.block('paragraph', comment);
      }
    }
  }
}
