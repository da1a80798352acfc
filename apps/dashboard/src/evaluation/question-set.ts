/** The columns of a set of questions, as the server reads them. */
export const COLUMNS = 'question,expected,document,answerable';

const KEY = 'citewell.questions';

/** A set with one more question, whose expected text a person has to write. A question that is there already stays alone. */
export function withQuestion(csv: string, question: string): string {
  const set = csv.trim() === '' ? COLUMNS : csv.trimEnd();
  const row = `${quoted(question)},,,`;
  return set.split('\n').some((line) => line.trimEnd() === row) ? `${set}\n` : `${set}\n${row}\n`;
}

/** A cell, quoted as in RFC 4180. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The set of an organization that the browser keeps; the names of the columns at first. */
export function readQuestionSet(organizationId: string): string {
  return localStorage.getItem(keyOf(organizationId)) ?? `${COLUMNS}\n`;
}

export function writeQuestionSet(organizationId: string, csv: string): void {
  localStorage.setItem(keyOf(organizationId), csv);
}

export function removeQuestionSet(organizationId: string): void {
  localStorage.removeItem(keyOf(organizationId));
  // Earlier versions kept one set for all organizations.
  localStorage.removeItem(KEY);
}

function keyOf(organizationId: string): string {
  return `${KEY}.${organizationId}`;
}
