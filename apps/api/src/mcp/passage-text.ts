import type { DatastoreQueryItem } from '@citewell/contracts/http';

/** A passage with the number by which a text refers to it. */
export type NumberedPassage = DatastoreQueryItem & { number: number };

/** A passage as text for a model: number, place and quote. */
export function passageText(passage: NumberedPassage): string {
  return `[${passage.number}] ${placeText(passage)}\n${passage.text}`;
}

/** Where a passage is, with what `read_source` needs. */
export function placeText({
  datasource_name,
  datasource_id,
  source,
  page_number,
  start,
  end,
}: DatastoreQueryItem): string {
  return [
    datasource_name,
    ...(source === datasource_name ? [] : [source]),
    ...(page_number === undefined ? [] : [`page ${page_number}`]),
    `datasource_id ${datasource_id}`,
    `characters ${start} to ${end}`,
  ].join(', ');
}
