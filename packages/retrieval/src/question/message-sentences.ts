import { boundMarks } from '../analysis/bounded-marks.js';
import { sentencesOf } from '../analysis/sentence-window.js';
import { withReadableNames } from '../names/searchable-names.js';
import { ABBREVIATION } from './message-patterns.js';
import { questionWordStarts } from './courtesy.js';

/** Longer messages are truncated: questions are near the beginning or the end. */
const MAX_READ = 8_192;
const MAX_SENTENCES = 400;
/** ":)" after a sentence. */
const EMOTICON = /(?<=\S) [:;]-?[)(DP](?=\s|$)/gu;
/** More than the longest abbreviation and the mark before it. */
const MAX_ABBREVIATION = 16;

/**
 * The sentences of a text, with readable names of files and without shouting. Of a long text, those at its beginning and its
 * end.
 */
export function messageSentences(message: string): string[] {
  const text = withoutShouting(
    withReadableNames(boundMarks(clip(message)).normalize('NFC').replace(EMOTICON, '.')),
  );
  const all = paragraphs(text).flatMap(sentences);
  if (all.length <= MAX_SENTENCES) return all;
  return [...all.slice(0, MAX_SENTENCES / 2), ...all.slice(-MAX_SENTENCES / 2)];
}

/** The beginning and the end of a long message. */
function clip(text: string): string {
  if (text.length <= MAX_READ) return text;
  return `${text.slice(0, MAX_READ / 2).toWellFormed()}\n\n${text.slice(-MAX_READ / 2).toWellFormed()}`;
}

/** Capitals carry no meaning where all letters are capitals. */
function withoutShouting(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return letters >= 8 && capitals > letters * 0.7 ? text.toLowerCase() : text;
}

/** Joins the lines of a paragraph, which a mail program may have broken. A list item is a paragraph. */
function paragraphs(text: string): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const broken of text.split('\n')) {
    const raw = broken.replace(/\s+/g, ' ');
    const line = raw.replace(/^\s*(?:[-*•·–]|\(?\d{1,2}[.)、]|\(?[a-z][.)])\s+/iu, '');
    const isItem = line !== raw.trimStart() && line !== raw;
    if (isOpen && !isItem && raw.trim() !== '') joined[joined.length - 1] += ` ${line.trim()}`;
    else if (line.trim() !== '') joined.push(line.trim());
    isOpen = raw.trim() !== '' && !/[.!?。！？:：,，]\s*$/u.test(raw);
  }
  return joined;
}

/** The sentences of a paragraph. An abbreviation or an ordinal number does not end one. */
function sentences(paragraph: string): string[] {
  const found: string[] = [];
  let start = 0;
  const ranges = sentencesOf(paragraph);
  ranges.forEach(({ end }, index) => {
    const next = ranges[index + 1];
    const text = paragraph.slice(start, end);
    if (
      next &&
      ABBREVIATION.test(text.slice(-MAX_ABBREVIATION)) &&
      questionWordStarts(paragraph.slice(next.start, next.end))[0] !== 0
    )
      return;
    found.push(text);
    start = next?.start ?? end;
  });
  return found;
}
