import { commentText } from '../document/comment.js';
import type { OfficePackage } from '../office/office-package.js';
import { childElements, descendants, textContent, type XmlElement } from '../xml/xml-tree.js';

/** Names of comment authors by id, from the list of ECMA-376 19.4.4 and from that of newer programs. */
export class CommentAuthors {
  private readonly names = new Map<string, string>();

  constructor(office: OfficePackage, main: string) {
    for (const [type, root, element] of [
      ['commentAuthors', 'cmAuthorLst', 'cmAuthor'],
      ['authors', 'authorLst', 'author'],
    ] as const) {
      const part = office.relatedPart(main, type);
      const list = part === undefined ? undefined : office.tree(part, root);
      for (const { attributes } of list === undefined ? [] : childElements(list, element)) {
        const { id, name = '', initials } = attributes;
        if (id !== undefined) this.names.set(id, initials ? `${name} (${initials})` : name);
      }
    }
  }

  nameOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.names.get(id);
  }
}

/** The comments of a slide as text, each followed by its replies. */
export function commentsOf(list: XmlElement | undefined, authors: CommentAuthors): string[] {
  if (list === undefined) return [];
  return [...descendants(list, 'cm')].flatMap((comment) => [
    textOf(comment, authors),
    ...[...descendants(comment, 'reply')].map((reply) => textOf(reply, authors)),
  ]);
}

function textOf(comment: XmlElement, authors: CommentAuthors): string {
  const { authorId, dt, created } = comment.attributes;
  const body = childElements(comment).filter(({ name }) => name === 'text' || name === 'txBody');
  const text = body
    .map((part) =>
      part.name === 'text' ? textContent(part) : [...descendants(part, 't')].map(textContent).join(' '),
    )
    .join('\n');
  return commentText({ author: authors.nameOf(authorId), date: dt ?? created, text });
}
