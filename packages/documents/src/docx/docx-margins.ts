import { withoutPageNumbers } from '../office/margin-text.js';
import type { OfficePackage } from '../office/office-package.js';
import { blockText, type TextContext } from './docx-text.js';

/**
 * Adds the headers and footers of a document after its text, each line once, because they often identify the file: number,
 * version, recipient. Numbers of pages are left out.
 */
export function addMargins(office: OfficePackage, main: string, context: TextContext): void {
  const { builder } = context;
  const texts = new Set<string>();
  for (const [wanted, root] of [
    ['header', 'hdr'],
    ['footer', 'ftr'],
  ] as const) {
    for (const { type, target } of office.relationships(main).values()) {
      const part = type === wanted && office.isFirstVisit(target) ? office.tree(target, root) : undefined;
      if (part !== undefined) texts.add(withoutPageNumbers(blockText(part, context), builder));
    }
  }
  if (texts.size > 0) builder.leaveHeadings();
  for (const text of texts) builder.block('paragraph', text);
}
