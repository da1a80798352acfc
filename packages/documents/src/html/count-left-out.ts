import type { LeftOutReason } from '@citewell/contracts/schemas';
import type { DocumentBuilder } from '../document/document-builder.js';
import type { HtmlElement } from './html-tree.js';
import { isUnread } from './visibility.js';

/**
 * Counts the text of a page that is not part of its document.
 *
 * @param content the element that has been added
 * @param title a heading outside of it that has been added
 */
export function countLeftOut(
  body: HtmlElement,
  content: HtmlElement,
  title: HtmlElement | null,
  builder: DocumentBuilder,
): void {
  const texts = new Map<LeftOutReason, string[]>();
  const read = (element: HtmlElement, outer: LeftOutReason | undefined): void => {
    const reason = element === content ? undefined : outer;
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (reason !== undefined) textsOf(reason).push(child);
      } else if (child !== title && !isUnread(child)) {
        // Skipped without a reason: its text is in the document.
        if (!child.isSkipped) read(child, reason);
        else if (child.leftOut !== undefined) read(child, child.leftOut);
      }
    }
  };
  const textsOf = (reason: LeftOutReason): string[] => {
    const found = texts.get(reason) ?? [];
    texts.set(reason, found);
    return found;
  };
  read(body, 'navigation');
  for (const [reason, parts] of texts) builder.leaveOut(reason, parts.join(' '));
}
