/** Who may read a document, as its source says: all who may read its datastore, or the named people and groups of the source. */
export type DocumentAccess =
  'library' | { readonly people: readonly string[]; readonly groups: readonly string[] };

// Principals are the texts in the columns `access`. A group is one of its source: groups of two sources are never the same.

export function personPrincipal(email: string): string {
  return `person:${normalEmail(email)}`;
}

export function groupPrincipal(sourceId: string, name: string): string {
  return `group:${sourceId}:${stored(name)}`;
}

/** @returns null for all who may read the datastore; an empty list for nobody */
export function principalsOf(sourceId: string, access: DocumentAccess): string[] | null {
  if (access === 'library') return null;
  const people = access.people.map(personPrincipal);
  return [...new Set([...people, ...access.groups.map((name) => groupPrincipal(sourceId, name))])];
}

/** As the column `people.email` has it. */
export function normalEmail(email: string): string {
  return stored(email.trim()).toLowerCase();
}

/** Postgres stores neither NUL nor half characters. */
function stored(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed().normalize('NFC');
}
