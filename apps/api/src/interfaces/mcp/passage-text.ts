import type { DatastoreQueryItem } from '@citewell/contracts/schemas';
import { escapeDelimiters, labelText } from '@citewell/retrieval';

/** A passage with the number by which a text refers to it. */
export type NumberedPassage = DatastoreQueryItem & { number: number };

/** A passage as text for a model: number, place and quote. The document cannot imitate another passage. */
export function passageText(passage: NumberedPassage): string {
  return `[${passage.number}] ${placeText(passage)}\n${escapeDelimiters(passage.text)}`;
}

/** Where a passage is, as one line, with what `read_source` needs. */
export function placeText({
  datasource_name,
  datasource_id,
  source,
  page_number,
  start,
  end,
}: DatastoreQueryItem): string {
  return [
    labelText(datasource_name),
    ...(source === datasource_name ? [] : [labelText(source)]),
    ...(page_number === undefined ? [] : [`page ${page_number}`]),
    `datasource_id ${datasource_id}`,
    `characters ${start} to ${end}`,
  ].join(', ');
}
