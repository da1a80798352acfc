/** Formats a reviewer's comment: `[Comment by author, date] text`; `''` when its text is blank. */
export function commentText(comment: {
  author?: string | undefined;
  date?: string | undefined;
  text: string;
}): string {
  const { author = '', date = '', text } = comment;
  if (text.trim() === '') return '';
  const by = [author.trim(), date.trim()].filter((part) => part !== '').join(', ');
  return by === '' ? `[Comment] ${text.trim()}` : `[Comment by ${by}] ${text.trim()}`;
}
