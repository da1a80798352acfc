import type { HtmlElement, HtmlTree } from './html-tree.js';
import { targetsOf } from './page-controls.js';

/** What a note begins with: `*`, `²`, `[3]`. */
const MARK = /[*†‡§]{1,3}|[¹²³⁰-⁹]{1,3}|[[(]\d{1,3}[\])]/gu;
const LINKED_MARK = /^\s*[[(]?(?:\d{1,3}|\p{L}|[*†‡§]{1,3}|[¹²³⁰-⁹]{1,3})[\])]?\s*$/u;
const NOTE = /^(?:dd|div|footer|li|p|section|small)$/;
/** A longer element is not one note. */
const MAX_NOTE_LETTERS = 600;

/**
 * Moves what the content refers to from elsewhere on the page to the end of the content: what a click reveals, and notes in
 * a footer.
 *
 * @param footers elements that are left out as footers
 */
export function moveReferredParts(
  tree: HtmlTree,
  content: HtmlElement,
  footers: readonly HtmlElement[],
): void {
  const parts = new Set<HtmlElement>();
  for (const control of tree.controls) {
    if (!isWithin(control, content)) continue;
    for (const id of targetsOf(control)) {
      const target = tree.ids.elementOf(id);
      if (target === undefined || target.isSkipped || target.letters === 0) continue;
      if (target.isRevealed ? !isWithin(target, content) : isLinkedNote(target, control, footers))
        parts.add(target);
    }
  }
  const marks = footers.length === 0 ? new Set<string>() : new Set(marksIn(content));
  for (const footer of footers) addMarkedNotes(footer, marks, parts);
  for (const part of parts) move(part, content);
}

function move(part: HtmlElement, content: HtmlElement): void {
  const siblings = part.parent?.children;
  if (siblings === undefined || isWithin(content, part)) return;
  siblings.splice(siblings.indexOf(part), 1);
  part.parent = content;
  part.isSkipped = false;
  content.children.push(part);
}

function isLinkedNote(note: HtmlElement, link: HtmlElement, footers: readonly HtmlElement[]): boolean {
  return (
    NOTE.test(note.name) &&
    LINKED_MARK.test(link.rawText) &&
    footers.some((footer) => isWithin(note, footer) && !isWithin(link, footer))
  );
}

/** Adds the innermost elements that begin with a mark of the content. */
function addMarkedNotes(element: HtmlElement, marks: ReadonlySet<string>, parts: Set<HtmlElement>): void {
  const known = parts.size;
  for (const child of element.children)
    if (typeof child !== 'string' && child.letters > 0 && !parts.has(child))
      addMarkedNotes(child, marks, parts);
  if (parts.size === known && isMarkedNote(element, marks)) parts.add(element);
}

function isMarkedNote(element: HtmlElement, marks: ReadonlySet<string>): boolean {
  if (!NOTE.test(element.name) || element.letters > MAX_NOTE_LETTERS) return false;
  const first = element.children.find((child) => typeof child !== 'string' || child.trim() !== '');
  if (typeof first === 'object' && first.name === 'sup') return marks.has(first.rawText.trim());
  const text = element.rawText.trimStart();
  const mark = text.match(MARK)?.[0];
  return mark !== undefined && text.startsWith(mark) && marks.has(mark);
}

/** The marks in the shown text of an element, and what is raised. */
function marksIn(element: HtmlElement): string[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return child.match(MARK) ?? [];
    if (child.isSkipped) return [];
    return child.name === 'sup' ? [child.rawText.trim(), ...marksIn(child)] : marksIn(child);
  });
}

function isWithin(element: HtmlElement, around: HtmlElement): boolean {
  return element === around || element.outer((outer) => outer === around) !== undefined;
}
