import { hasContent, hasCourtesy, isCourtesy, isRequest, questionWordStarts } from './courtesy.js';

/** Headers of a mail, in the languages of mail programs. */
const HEADER =
  /^\s*(?:\*\*?)?(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoyé|à|objet|enviado(?: el)?|fecha|para|asunto|da|inviato|data|a|oggetto|assunto|от|отправлено|дата|кому|тема|差出人|送信日時|日付|宛先|件名|发件人|发送时间|日期|收件人|抄送|主题|寄件者|收件者|主旨|보낸 사람|받는 사람|제목|من|إلى|الموضوع)(?:\*\*?)?\s*[:：]\s*\S/i;
/** A line between dashes, as Outlook writes it above an earlier mail: "-----Original Message-----". */
const RULED_HEADING = /^\s*[-_=]{3,}\s*\p{L}[^-_=]{3,60}[-_=]*\s*$/u;
/** "On Monday at 10:12, Kim wrote:", in any language: a line that ends with a colon and has a time or an address. */
const TIME_OR_ADDRESS = /\d[:.h]\d\d(?!\d)|<[^<>\s@]+@/u;
/** Longer lines are no attribution. */
const MAX_ATTRIBUTION = 320;
const QUOTED = /^\s*(?:>|\|\s*>)/;
const SIGNATURE_MARK = /^--\s*$/;
/** A rule stands above a signature, or between parts of a text. */
const RULE = /^(?:—|–|__+|\*\*\*+|=+)\s*$/;
/** Longer lines are no part of a signature. */
const MAX_SIGNATURE_LINE = 60;
const MAX_SIGNATURE_LINES = 10;
const ASKS = /[?？؟]/u;
const POSTSCRIPT = /^\s*p\.?\s?s\b[.:,\s]*/iu;
const HAS_LETTER = /\p{L}/u;

/** Earlier mails of a longer thread are not read. */
const MAX_TEXTS = 4;

/**
 * The texts of a message, newest first: that of its author, and those of the mails that it quotes or forwards. Each is without
 * the headers of mails and without signature. The message as it is if nothing would be left.
 */
export function threadTexts(message: string): string[] {
  const texts: string[] = [];
  let lines: readonly string[] = message.replace(/\r\n?/g, '\n').split('\n');
  for (let at = 0; at < MAX_TEXTS && HAS_LETTER.test(lines.join('')); at += 1) {
    const { own, earlier } = withoutQuotes(lines);
    const text = withoutSignature(own).join('\n').trim();
    if (HAS_LETTER.test(text)) texts.push(text);
    lines = earlier;
  }
  return texts.length > 0 ? texts : [message.trim()];
}

/** The lines of the author, and those of earlier mails, without their mark. */
function withoutQuotes(lines: readonly string[]): { own: string[]; earlier: string[] } {
  const own: string[] = [];
  const quoted: string[] = [];
  const lastQuoted = lines.findLastIndex((line) => QUOTED.test(line));
  let isEmpty = true;
  let hasLetter = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    // A program may break the attribution into two lines.
    const attribution = isAttribution(line) ? 1 : isAttribution(`${line} ${next}`) ? 2 : 0;
    const isHeading =
      RULED_HEADING.test(line) || isForwarded(lines, at) || (HEADER.test(line) && HEADER.test(next));
    if (attribution > 0 || isHeading) {
      const answersBelow = lastQuoted >= at + Math.max(attribution, 1);
      // Above the earlier mail stands what the author added. A forwarded mail without an addition is the message.
      if (!answersBelow && hasLetter) return { own, earlier: [...quoted, ...lines.slice(at)] };
      if (attribution === 2) at += 1;
      continue;
    }
    if (isEmpty && HEADER.test(line) && HEADER.test(lines[at - 1] ?? '')) continue;
    if (QUOTED.test(line)) quoted.push(line.replace(QUOTED, '').trimStart());
    else {
      own.push(line);
      isEmpty &&= line.trim() === '';
      hasLetter ||= HAS_LETTER.test(line);
    }
  }
  return { own, earlier: quoted };
}

function isAttribution(line: string): boolean {
  const text = line.trim();
  return text.length <= MAX_ATTRIBUTION && /[:：]$/u.test(text) && TIME_OR_ADDRESS.test(text);
}

/** Whether a line ends with a colon, and the quoted headers of a mail follow. */
function isForwarded(lines: readonly string[], at: number): boolean {
  if (!/[:：]\s*$/u.test(lines[at] ?? '')) return false;
  const next = lines.slice(at + 1, at + 4).find((line) => line.trim() !== '') ?? '';
  return QUOTED.test(next) && HEADER.test(next.replace(QUOTED, ''));
}

/** Without the lines after a mark, or after words of courtesy that only short lines follow: the name and the address. */
function withoutSignature(lines: readonly string[]): string[] {
  const content = lines.findIndex(hasContent);
  const written = lines.flatMap((line, at) => (HAS_LETTER.test(line) ? [at] : []));
  const earliest = written.at(-1 - MAX_SIGNATURE_LINES) ?? 0;
  const end = lines.findIndex(
    (line, at) =>
      content >= 0 &&
      at > content &&
      (SIGNATURE_MARK.test(line) ||
        (at >= earliest && (RULE.test(line) || closes(line)) && isSignature(lines.slice(at + 1)))),
  );
  if (end < 0) return [...lines];
  // A postscript can ask, too.
  return [
    ...lines.slice(0, end),
    ...lines
      .slice(end)
      .filter((line) => ASKS.test(line) || POSTSCRIPT.test(line))
      .map((line) => line.replace(POSTSCRIPT, '')),
  ];
}

function closes(line: string): boolean {
  return line.length <= MAX_SIGNATURE_LINE && isCourtesy(line) && hasCourtesy(line);
}

function isSignature(lines: readonly string[]): boolean {
  const own = lines.filter((line) => HAS_LETTER.test(line) && !POSTSCRIPT.test(line));
  return own.every(
    (line) =>
      line.length <= MAX_SIGNATURE_LINE &&
      !ASKS.test(line) &&
      !isRequest(line) &&
      questionWordStarts(line)[0] !== 0,
  );
}
