import { commentText } from '../document/comment.js';
import type { OfficePackage } from '../office/office-package.js';
import { childElements, descendant, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/** The author of the copy of a thread that older versions of Excel show. The id is that of its first comment. */
const THREAD_AUTHOR = /^tc=\{/;
const COPY_START = /^\s*\[[^\]\n]+\]/;
const COPY_LINK = /linkid=\d+[^\S\n]*\n/;

/** Authors of threaded comments (MS-XLSX 2.6.203), by id. */
export function personsOf(office: OfficePackage, main: string): ReadonlyMap<string, string> {
  const persons = new Map<string, string>();
  for (const { type, target } of office.relationships(main).values()) {
    const list = type === 'person' ? office.readableTree(target, 'personList') : undefined;
    for (const { attributes } of list === undefined ? [] : childElements(list, 'person'))
      persons.set(attributes['id'] ?? '', attributes['displayName'] ?? '');
  }
  return persons;
}

/** The comments of a sheet with the references of their cells. Each part is read once per file. */
export function sheetComments(
  office: OfficePackage,
  sheet: string,
  persons: ReadonlyMap<string, string>,
): string[] {
  const relationships = [...office.relationships(sheet).values()];
  const partsOf = (wanted: string, root: string): XmlElement[] =>
    relationships.flatMap(({ type, target }) => {
      const isWanted = type === wanted && office.isFirstVisit(target);
      return (isWanted ? office.tree(target, root) : undefined) ?? [];
    });
  const threads = partsOf('threadedComment', 'ThreadedComments').flatMap((part) =>
    childElements(part, 'threadedComment'),
  );
  const comments = partsOf('comments', 'comments').flatMap((part) => commentsOf(part, threads.length > 0));
  return [...comments, ...threads.map((comment) => threadedComment(comment, persons))].filter(
    (text) => text !== '',
  );
}

/** @param hasThreads whether threads are read from their own part, and not from the copies for older versions */
function commentsOf(comments: XmlElement, hasThreads: boolean): string[] {
  const list = descendant(comments, 'authors');
  const authors = (list === undefined ? [] : childElements(list, 'author')).map(textContent);
  const entries = descendant(comments, 'commentList');
  return (entries === undefined ? [] : childElements(entries, 'comment')).map((comment) => {
    const { ref = '', authorId } = comment.attributes;
    const author = authors[Number(authorId)] ?? '';
    const text = [...descendants(comment, 't')].map(textContent).join('');
    if (!THREAD_AUTHOR.test(author)) return atCell(ref, commentText({ author, text }));
    return hasThreads ? '' : atCell(ref, commentText({ text: ofCopy(text) }));
  });
}

/** The comment in such a copy, after a sentence about the version in the language of Excel, a link and a label. */
function ofCopy(text: string): string {
  const link = COPY_START.test(text) ? COPY_LINK.exec(text) : null;
  if (link === null) return text;
  const labelled = text.slice(link.index + link[0].length).trimStart();
  return labelled.slice(labelled.indexOf('\n') + 1);
}

function threadedComment(comment: XmlElement, persons: ReadonlyMap<string, string>): string {
  const { ref = '', personId = '', dT: date = '' } = comment.attributes;
  const [text] = childElements(comment, 'text');
  return atCell(
    ref,
    commentText({
      author: persons.get(personId),
      date: date.slice(0, 'yyyy-mm-dd'.length),
      text: text === undefined ? '' : textContent(text),
    }),
  );
}

function atCell(reference: string, comment: string): string {
  return comment === '' ? '' : `${reference} ${comment}`.trim();
}
