import { type PublicSource, withoutMarkdown } from '@citewell/sdk';
import { isWebAddress } from '../markdown/parse-inline.js';
import { fill, type Texts } from '../messages.js';
import { documentLink, iconButton, make } from './dom.js';

/** A citation as a card: the document, the place, the quote with its passage, and a link. */
export function sourceCard(source: PublicSource, messages: Texts, onClose: () => void): HTMLElement {
  const { number, datasource_name: name, source: address, text, quote } = source;
  const isPart = quote !== undefined && quote.text.length < text.trim().length;
  const place = placeOf(source, messages);
  const close = iconButton('close', messages.closeSource, { className: 'quiet', onclick: onClose });
  return make(
    'article',
    { className: 'card', ariaLabel: fill(messages.source, { number, name }) },
    make(
      'header',
      {},
      make('span', { className: 'number' }, String(number)),
      make(
        'div',
        { className: 'document' },
        make('strong', { dir: 'auto' }, name),
        ...(place === '' ? [] : [make('span', { className: 'place', dir: 'auto' }, place)]),
      ),
      close,
    ),
    quotation(quote?.text ?? text),
    ...(isPart ? [make('details', {}, make('summary', {}, messages.passage), quotation(text))] : []),
    ...(isWebAddress(address) ? [documentLink(address, messages.openDocument)] : []),
  );
}

function quotation(text: string): HTMLElement {
  const paragraphs = withoutMarkdown(text).split(/\n{2,}/);
  // Scrollable areas can be reached by keyboard.
  return make('blockquote', { dir: 'auto', tabIndex: 0 }, ...paragraphs.map((it) => make('p', {}, it)));
}

/** Page and headings, as far as they are known. */
function placeOf({ page_number: page, heading_path: headings }: PublicSource, messages: Texts): string {
  return [...(page === undefined ? [] : [fill(messages.page, { page })]), ...(headings ?? [])].join(' › ');
}
