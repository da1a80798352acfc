import type { Language } from '@citewell/contracts/messages';
import { html } from '../../http/html.js';
import { MAIL_TEXTS, type MailKind } from './mail-texts.js';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** What replaces the placeholders of a text. People have chosen some of these values. */
export type MailValues = Readonly<
  Record<
    | 'email'
    | 'host'
    | 'inviter'
    | 'organization'
    | 'date'
    | 'question'
    | 'document'
    | 'questions'
    | 'subjects',
    string
  >
>;

/**
 * Writes a mail with one link, as plain text and as HTML.
 *
 * @param mail.items a list between the introduction and the link
 */
export function composeMail(
  kind: MailKind,
  {
    language,
    link,
    values,
    items = [],
  }: { language: Language; link: string; values: Partial<MailValues>; items?: readonly string[] },
): MailText {
  const sentences = MAIL_TEXTS[language][kind];
  const fill = (sentence: string): string =>
    sentence.replace(/\{(\w+)\}/g, (_, name: string) => oneLine(values[name as keyof MailValues] ?? ''));
  const [introduction, end] = [fill(sentences.introduction), fill(sentences.end)];
  const lines = items.map(oneLine);
  const list =
    lines.length > 0
      ? html`<ul>
          ${lines.map((line) => html`<li>${line}</li>`)}
        </ul>`
      : '';
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
      </head>
      <body style="font-family: sans-serif; line-height: 1.5">
        <p>${introduction}</p>
        ${list}
        <p><a href="${link}">${sentences.link}</a></p>
        <p>${link}</p>
        <p>${end}</p>
      </body>
    </html>`;
  return {
    subject: fill(sentences.subject),
    text: `${[introduction, ...(lines.length > 0 ? [lines.map((line) => `- ${line}`).join('\n')] : []), link, end].join('\n\n')}\n`,
    html: page.text,
  };
}

/** Without line breaks and other control characters, so that no value begins a line of its own. */
function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
