const MAX_NAME_CHARACTERS = 120;
/** What separates paths, and what no line has. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[/\u0000-\u001F\u007F]+/g;

/** A text as one name of a path. Empty if nothing is left of it. */
export function pathNameOf(text: string): string {
  const name = text.toWellFormed().replace(NOT_IN_NAMES, ' ').trim();
  // Not within a surrogate pair.
  const start = name.slice(0, MAX_NAME_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return /^\.+$/.test(name) ? '_' : start.trim();
}
