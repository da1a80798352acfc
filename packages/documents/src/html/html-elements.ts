/** Names of elements by what they mean to a reader of text (HTML Living Standard, sections 4, 13.1.2 and 16). */
function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Without content and end tag, the obsolete ones too. */
export const VOID_ELEMENTS = names(
  'area base basefont bgsound br col command embed frame hr image img input keygen link meta param source track wbr',
);

/** What may stand in a `<head>`: anything else ends it. */
export const HEAD_ELEMENTS = names('base basefont bgsound link meta noscript script style template title');

/** Whose content the tokenizer hands over as raw text that is nobody's reading. */
export const RAW_ELEMENTS = names('iframe noembed noframes script style textarea');

/** Elements around which a line ends; all others are part of the line that they stand in. */
export const BLOCK_ELEMENTS = names(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p
  plaintext pre search section summary table tbody td tfoot th thead tr ul xmp`,
);

/** Start tags that end an open paragraph: all block elements but the parts of tables, and a few. */
export const PARAGRAPH_ENDERS = names(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1
  h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp`,
);

/** Elements that no implied and no mismatched end tag reaches across. */
export const SCOPE_ELEMENTS = names('body caption object table td template th');

/** HTML inside of a drawing or a formula: the drawing was not closed (13.2.6.5). */
export const FOREIGN_ENDERS = names(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
  nobr ol p pre ruby s small span strike strong sub sup table tt u ul var article aside footer header main nav section`,
);

/** Never text for a reader of the page. */
export const SILENT_ELEMENTS = names(
  `area audio base canvas datalist dialog embed head iframe link meta noembed noframes noscript param
  script select style svg textarea title video`,
);

/** Code, with its line breaks. */
export const PREFORMATTED_ELEMENTS = names('listing plaintext pre xmp');

export const LIST_ELEMENTS = names('dir menu ol ul');

export const TABLE_SECTIONS = names('tbody tfoot thead');
