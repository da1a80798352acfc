/** Headers of a mail, in the languages of mail programs. */
const HEADER =
  /^\s*(?:\*\*?)?(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoyé|à|objet|enviado(?: el)?|fecha|para|asunto|da|inviato|data|a|oggetto|assunto|от|отправлено|дата|кому|тема|差出人|送信日時|日付|宛先|件名|发件人|发送时间|日期|收件人|抄送|主题|寄件者|收件者|主旨|보낸 사람|받는 사람|제목|من|إلى|الموضوع)(?:\*\*?)?\s*[:：]\s*\S/i;
/** A line between dashes, as Outlook writes it above an earlier mail. */
const RULED_HEADING =
  /^\s*[-_=]{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|originalnachricht|message (?:d['’]origine|transféré)|mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)|mensagem (?:original|encaminhada)|исходное сообщение|原始邮件|转发的邮件|原文|元のメッセージ|転送メッセージ|원본 메시지)(?:\s*[-_=]+)?\s*$/i;
/** What Apple Mail writes above a mail that it forwards. */
const FORWARDED =
  /^\s*(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato)\s*:\s*$/i;
/** "On Monday, Kim wrote:" */
// At most MAX_ATTRIBUTION characters: the time is quadratic in the length of a line.
const ATTRIBUTION =
  /^(?:on|am|le|el|il|em|в)\s.{4,200}\s(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto|escreveu|пишет)\s*:$/iu;
const MAX_ATTRIBUTION = 320;
const ATTRIBUTION_CJK = /(?:写道|寫道|のメール|さんは書きました|님이 작성)\s*[:：]$/iu;
const QUOTED = /^\s*(?:>|\|\s*>)/;
const SIGNATURE_MARK = /^(?:--|—|–|__+|\*\*\*+|=+)\s*$/;
/** First words of the line that closes a message, before the name of its author. */
const CLOSING =
  /^\s*(?:(?:(?:with )?(?:best|kind|warm|many|my best|warmest|kindest) (?:regards|wishes|thanks)|regards|sincerely|yours(?: sincerely| faithfully| truly)?|cheers|all the best|best|respectfully|sent from my|mit (?:freundlichen|besten|vielen|herzlichen|lieben) gr(?:ü|ue)(?:ß|ss)en|(?:viele|beste|liebe|schöne|freundliche|herzliche) gr(?:ü|ue)(?:ß|ss)e|gr(?:ü|ue)(?:ß|ss)e|mfg|lg|vg|hochachtungsvoll|gesendet von|(?:bien )?cordialement|bien à vous|sincères salutations|meilleures salutations|salutations(?: distinguées)?|bonne journée|je vous prie d['’]agréer|veuillez agréer|envoyé de mon|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|le saluda atentamente|un abrazo|enviado desde|cordiali saluti|distinti saluti|saluti|atenciosamente|cumprimentos|com os melhores cumprimentos|с уважением|с наилучшими пожеланиями)(?![\p{L}])|此致|敬礼|敬上|祝好|顺祝|祝您|よろしくお願い|宜しくお願い|以上、|敬具|감사합니다\s*$|مع (?:خالص )?التحية|مع أطيب)/iu;
const ASKS = /[?？؟]|^\s*p\.?\s?s\b/iu;
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
      RULED_HEADING.test(line) || FORWARDED.test(line) || (HEADER.test(line) && HEADER.test(next));
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
  return ATTRIBUTION_CJK.test(text) || (text.length <= MAX_ATTRIBUTION && ATTRIBUTION.test(text));
}

function withoutSignature(lines: readonly string[]): string[] {
  const end = lines.findIndex((line, at) => at > 0 && (SIGNATURE_MARK.test(line) || CLOSING.test(line)));
  if (end < 0 || !HAS_LETTER.test(lines.slice(0, end).join(''))) return [...lines];
  // A postscript can ask, too.
  return [
    ...lines.slice(0, end),
    ...lines.slice(end).filter((line) => ASKS.test(line) && !SIGNATURE_MARK.test(line)),
  ];
}
