import { escapeHtml } from '../html-page.js';
import { type NotionPage, type NotionProperty, type RichText, richTextsSchema } from './notion-answers.js';

/** Texts of a block or a property; none for something else. Long texts come in several parts. */
export function richTexts(value: unknown): RichText[] {
  return richTextsSchema.safeParse(value).data ?? [];
}

export function plainText(value: unknown): string {
  return richTexts(value)
    .map(({ plain_text: text }) => text)
    .join('');
}

/** Text with its links, code and formulas as HTML. */
export function richHtml(value: unknown): string {
  return richTexts(value)
    .map(({ type, plain_text: text, href, annotations }) => {
      if (type === 'equation') return formulaHtml(text);
      const html = escapeHtml(text).replaceAll('\n', '<br>');
      const marked = annotations?.code === true ? `<code>${html}</code>` : html;
      return href ? `<a href="${escapeHtml(href)}">${marked}</a>` : marked;
    })
    .join('');
}

/** @param source TeX */
export function formulaHtml(source: string): string {
  return `<math alttext="${escapeHtml(source)}"></math>`;
}

/** The title of a page. Its property has a name of its own in each database. */
export function titleOf({ properties }: Pick<NotionPage, 'properties'>): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  return plainText(title?.['title']).trim();
}

/** The properties of a row of a database as a list, without those that are empty. */
export function propertiesHtml({ properties }: Pick<NotionPage, 'properties'>): string {
  const rows = Object.entries(properties).flatMap(([name, property]) => {
    const text = property.type === 'title' ? '' : propertyText(property);
    return text === '' ? [] : [`<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`];
  });
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
}

/** What people see of a property. References to other pages are their ids, and are left out. */
function propertyText(property: NotionProperty): string {
  return textOf(property.type, property[property.type]);
}

function textOf(type: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  switch (type) {
    case 'relation':
    case 'button':
      return '';
    case 'checkbox':
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'rollup':
    case 'formula':
      return propertyText(value as NotionProperty);
    case 'array':
      return listText((value as NotionProperty[]).map(propertyText));
    default:
      return valueText(value);
  }
}

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (Array.isArray(value)) {
    const texts = richTexts(value);
    return texts.length > 0 ? plainText(value) : listText(value.map(valueText));
  }
  const { name, start, end, prefix, number, state } = value as Record<string, unknown>;
  if (typeof start === 'string') return typeof end === 'string' ? `${start} – ${end}` : start;
  if (typeof number === 'number') return typeof prefix === 'string' ? `${prefix}-${number}` : String(number);
  return [name, state].find((text) => typeof text === 'string') ?? '';
}

function listText(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}
