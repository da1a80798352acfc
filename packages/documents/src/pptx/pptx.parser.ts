import type { DocumentParser } from '../document-parser.js';
import { OfficePackage } from '../office/office-package.js';
import { childElements, descendant } from '../xml/xml-tree.js';
import { CommentAuthors } from './slide-comments.js';
import { SlideReader } from './slide-reader.js';

/**
 * Reads presentations (ECMA-376, PresentationML): slides in presentation order. The page is the slide number. Slides that
 * the show skips are left out, unless it skips all.
 */
export const pptxParser: DocumentParser = {
  parse({ bytes, onProgress }, builder) {
    const office = new OfficePackage(bytes);
    office.addMetadata(builder);
    const main = office.mainPart('ppt/presentation.xml');
    const slides = slidesInOrder(office, main);
    const reader = new SlideReader(office, new CommentAuthors(office, main), builder);
    builder.setPageCount(slides.length);
    const areAllHidden = slides.every((part) => SlideReader.isHidden(office.tree(part, 'sld')));
    for (const [index, part] of slides.entries()) {
      builder.beginPage(index + 1).leaveHeadings();
      const slide = office.tree(part, 'sld');
      if (slide !== undefined) {
        if (SlideReader.isHidden(slide) && !areAllHidden) reader.leaveOut(part, slide);
        else reader.add(part, slide);
      }
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
