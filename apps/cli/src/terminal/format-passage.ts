import type { DatastoreQueryItem, Source } from '@citewell/sdk';
import { inOneLine } from './printable.js';
import { style } from './style.js';

const MAX_QUOTE_LENGTH = 360;

/**
 * Formats a passage with everything that a person needs to check it: number, name, page, offsets into the
 * text (`GET /datasources/{id}/text`), headings, address and text. The offsets and the text are those of the quote if
 * there is one. A longer text is truncated.
 */
export function formatPassage(passage: Source | DatastoreQueryItem, number: number): string {
  const { datasource_name, page_number, heading_path = [], source, datasource_id } = passage;
  const { start, end, text } = ('quote' in passage && passage.quote) || passage;
  const location = [
    inOneLine(datasource_name, 100),
    ...(page_number === undefined ? [] : [`page ${page_number}`]),
    `characters ${start}-${end}`,
    ...('revision' in passage ? [`revision ${passage.revision}`] : []),
    `datasource ${datasource_id}`,
    ...('added' in passage && passage.added ? ['not cited by the model'] : []),
  ];
  const lines = [`${style('bold', `[${number}]`)} ${location.join(', ')}`];
  if (heading_path.length > 0) lines.push(inOneLine(heading_path.join(' > '), 100));
  if (source !== datasource_name) lines.push(inOneLine(source));
  lines.push(`"${inOneLine(text, MAX_QUOTE_LENGTH)}"`);
  return lines.join('\n    ');
}
