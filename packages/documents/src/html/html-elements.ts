// Element names by their role in text extraction (HTML Living Standard, sections 4, 13.1.2 and 16).

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Elements without content and end tag, including obsolete ones. */
export const VOID_ELEMENTS = names(
  'area base basefont bgsound br col command embed frame hr image img input keygen link meta param source track wbr',
);

/** Elements allowed in `<head>`; any other element ends it. */
export const HEAD_ELEMENTS = names('base basefont bgsound link meta noscript script style template title');

/** Elements whose content the tokenizer returns as raw text, which is not shown to readers. */
export const RAW_ELEMENTS = names('iframe noembed noframes script style textarea');

/** Elements with line breaks around them; all others are inline. */
export const BLOCK_ELEMENTS = names(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p
  plaintext pre search section summary table tbody td tfoot th thead tr ul xmp`,
);

/** Start tags that close an open paragraph: all block elements except table parts and a few others. */
export const PARAGRAPH_CLOSERS = names(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
  h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp`,
);

/** Elements that implied and mismatched end tags do not cross. */
export const SCOPE_ELEMENTS = names('body caption object table td template th');

/** HTML elements whose start tag closes an open `svg` or `math` (13.2.6.5). */
export const FOREIGN_BREAKOUTS = names(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
  nobr ol p pre ruby s small span strike strong sub sup table tt u ul var article aside footer header main nav section`,
);

/** Elements whose content is never shown as text. */
export const UNREAD_ELEMENTS = names(
  `area audio base canvas datalist defs desc embed head iframe link meta metadata noembed noframes noscript param
  script select style symbol textarea title video`,
);

/** Elements whose line breaks are kept; treated as code. */
export const PREFORMATTED_ELEMENTS = names('listing plaintext pre xmp');

export const LIST_ELEMENTS = names('dir menu ol ul');

export const TABLE_SECTIONS = names('tbody tfoot thead');
