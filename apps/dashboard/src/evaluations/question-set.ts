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

/** The set that the browser keeps; the names of the columns at first. */
export function readQuestionSet(): string {
  return localStorage.getItem(KEY) ?? `${COLUMNS}\n`;
}

export function writeQuestionSet(csv: string): void {
  localStorage.setItem(KEY, csv);
}
