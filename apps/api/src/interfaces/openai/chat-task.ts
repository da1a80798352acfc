/** A task of a chat program about a chat, such as a title for it. */
export interface ChatTask {
  /** What fits without a model. Null: nothing does. */
  reply: string | null;
}

/** The names that programs give to both sides, at the beginning of a line. They count only in a chat, and beside a form. */
const HUMAN =
  /^[\s>*#|_-]{0,8}(?:user|human|customer|me|you|nutzer|benutzer|utilisateur|usuario|用户|ユーザー)[\s*_]{0,4}[:：]/i;
const ASSISTANT =
  /^[\s>*#|_-]{0,8}(?:assistant|ai|bot|chatbot|agent|model|response|assistent|asistente|助手|アシスタント)[\s*_]{0,4}[:：]/i;
const OPENING_TAG = /<([a-z][\w-]{0,40})>/gi;
const MAX_TAGS = 50;
const JSON_FORM = /\bjson\b|\{\s{0,20}"[^"\n]{1,40}"\s{0,4}:/i;
const TITLE = /\b(?:title|titel|titre|t[ií]tulo|name (?:this|the) (?:chat|conversation))\b|标题|タイトル/i;
/** What else is made of a chat. A question for one of these has a question mark. */
const OTHER_FORM = /\b(?:tags|keywords|follow-?ups?|search queries|summar(?:y|ize|ise))\b/i;
const QUOTES = /"[^"\n]*"/g;
const MAX_TITLE_LENGTH = 60;

interface Transcript {
  /** The first message of the person, or empty. */
  first: string;
  /** The message without the transcript. */
  frame: string;
}

/**
 * The task of a message: it contains the transcript of a chat, and the rest of it asks for an output in a form (JSON, a title, tags)
 * and for nothing else. A question about a pasted chat is a question.
 *
 * @returns null for any other message
 */
export function chatTaskOf(text: string, instructions: string): ChatTask | null {
  const transcript = transcriptOf(text);
  if (transcript === null) return null;
  const frame = transcript.frame.trim() === '' ? instructions : transcript.frame;
  const isJson = JSON_FORM.test(frame);
  const isTitle = TITLE.test(frame);
  const hasForm = isJson || isTitle || OTHER_FORM.test(frame);
  // Samples of an output may be questions.
  if (!hasForm || /[?？]/.test(frame.replace(QUOTES, ''))) return null;
  const title = isTitle ? shortened(transcript.first) : '';
  if (title === '') return { reply: null };
  return { reply: isJson ? JSON.stringify({ title }) : title };
}

function transcriptOf(text: string): Transcript | null {
  return inTag(text) ?? inLines(text);
}

/** A chat between an opening and a closing tag: it begins with a label. */
function inTag(text: string): Transcript | null {
  for (const { 0: tag, 1: name = '', index } of [...text.matchAll(OPENING_TAG)].slice(0, MAX_TAGS)) {
    const start = index + tag.length;
    const end = text.indexOf(`</${name}>`, start);
    const lines = end < 0 ? [] : text.slice(start, end).trim().split('\n');
    if (HUMAN.test(lines[0] ?? '') || ASSISTANT.test(lines[0] ?? ''))
      return {
        first: firstOf(lines),
        frame: `${text.slice(0, index)}\n${text.slice(end + name.length + 3)}`,
      };
  }
  return null;
}

/** A chat of both sides among other lines. It ends with the paragraph of its last message. */
function inLines(text: string): Transcript | null {
  const lines = text.split('\n');
  const isLabel = (line: string): boolean => HUMAN.test(line) || ASSISTANT.test(line);
  if (!lines.some((line) => HUMAN.test(line)) || !lines.some((line) => ASSISTANT.test(line))) return null;
  const start = lines.findIndex(isLabel);
  const last = lines.findLastIndex(isLabel);
  const gap = lines.findIndex((line, index) => index > last && line.trim() === '');
  const end = gap < 0 ? lines.length : gap;
  return {
    first: firstOf(lines.slice(start, end)),
    frame: [...lines.slice(0, start), ...lines.slice(end)].join('\n'),
  };
}

function firstOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => HUMAN.test(line));
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => HUMAN.test(line) || ASSISTANT.test(line));
  const turn = lines.slice(start, length < 0 ? undefined : start + 1 + length).join(' ');
  return turn.replace(HUMAN, '');
}

/** On one line, without the quotes around it, at most {@link MAX_TITLE_LENGTH} long and of whole words. */
function shortened(text: string): string {
  const line = text
    .split(/\s+/)
    .join(' ')
    .replace(/^[\s"'*]{1,8}/, '')
    .replace(/["'*\s-]{1,20}$/, '');
  if (line.length <= MAX_TITLE_LENGTH) return line;
  const cut = line.slice(0, MAX_TITLE_LENGTH);
  const space = cut.lastIndexOf(' ');
  return `${(space > 0 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}
