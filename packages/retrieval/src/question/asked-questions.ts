import { sentencesOf } from '../answers/sentence-window.js';
import { authoredText } from './authored-text.js';
import {
  CONDITIONS,
  COURTESIES,
  FILLERS,
  FIRST_PERSON,
  FORMS,
  GREETINGS,
  LEAD_INS,
  PREAMBLE_ENDS,
  REQUESTS,
  REQUESTS_CJK,
  TRAILERS,
  TRAILERS_CJK,
} from './message-phrases.js';
import { continues, refersBack } from './references.js';
import { listedThings, listedThingsCjk } from './listed-things.js';
import { withReadableNames } from '../names/searchable-names.js';
import { questionTerms } from './question-terms.js';

/** More questions in one message are not searched. */
export const MAX_QUESTIONS = 5;
/** Longer messages are cut before they are read; their questions are near the beginning or the end. */
const MAX_READ = 4_000;
const MAX_SENTENCES = 80;
/** A longer sentence is searched as it is. Together the limits bound the time for a hostile message. */
const MAX_SENTENCE = 600;
/** Where the end of a sentence is searched for thanks. */
const TAIL = 100;

/** One alternation, in which a space stands for any white space. */
const spaced = (alternatives: readonly string[]): string =>
  alternatives
    .join('|')
    .replaceAll(' ?', String.raw`\s*`)
    .replaceAll(' ', String.raw`\s+`);
const pattern = (alternatives: readonly string[], before: string, after: string): RegExp =>
  new RegExp(`${before}(?:${spaced(alternatives)})${after}`, 'iu');
const SEPARATOR = String.raw`[\s,;:.!…–—、，。！・~〜～\p{So}-]*`;
const LEADING = pattern([...GREETINGS, ...FILLERS], '^', SEPARATOR);
/** After a lead-in. "looking for" is none in "looking forward". */
const WORD_END = String.raw`(?:(?<![\p{Script=Latin}\p{Script=Cyrillic}])|(?!\p{L}))`;
const LEAD_IN = pattern(LEAD_INS, '^', String.raw`${WORD_END}[\s,:、，]*`);
/** A request after words of courtesy: "I would be grateful if you could tell me …". */
const REQUEST = pattern(REQUESTS, String.raw`^.{0,120}?(?<![\p{L}])`, String.raw`(?!\p{L})[\s,:]*`);
/** "let me know if you need anything" asks nothing. */
const OFFER =
  /^(?:(?:if )?you (?:need|have any|want|require|would like)|anything|something|soon|asap|(?:wenn|falls) (?:sie|du) (?:noch|etwas|weitere)|vous avez (?:besoin|d['’]autres))(?!\p{L})/iu;
const COURTESY = pattern(COURTESIES, '^', '');
const TRAILING = pattern(TRAILERS, String.raw`[\s,;.!–—-]+`, String.raw`[\s.!,]*(?=[?？]*\s*$)`);
const FORM = pattern(FORMS, String.raw`\s*[,;–—-]\s*`, String.raw`[\s.!,]*(?=[?？]?\s*$)`);
/** The German article, which is a pronoun elsewhere. */
const ARTICLE = /(?<!\p{L})[Dd]as(?=\s+\p{Lu})/gu;
/** Words that refer to nothing: "is there", "gibt es", and "ils" in "Les étudiants ont-ils …". */
const EXPLETIVE =
  /(?:is|are|was|were) there|there (?:is|are|was|were)|gibt es|es gibt|(?<=\p{L})-(?:t-)?(?:ils?|elles?)(?!\p{L})/giu;
/** Questions about what was said before them: "What can I do?" */
const GENERIC =
  /^(?:(?:so |and |also |und |alors |et |y |entonces )?(?:what (?:now|next|(?:can|should|could|must|do|shall) (?:i|we) do(?: now| then| about (?:it|this|that))?|to do|does (?:that|this|it) mean)|why(?: not)?|how (?:come|so)|any (?:ideas?|help)|was (?:nun|jetzt|tun|(?:kann|soll|muss) (?:ich|man) (?:da |jetzt |nun |dagegen )?(?:tun|machen)|bedeutet das)|warum(?: nicht)?|wieso|que (?:faire|puis-je faire|dois-je faire)|comment (?:faire|puis-je faire)|pourquoi|qué (?:hago|hacer|puedo hacer|debo hacer|significa(?: eso)?)|por qué|что делать)|(?:我|该|应该)*怎么办(?:呢|才好)?|(?:それで)?(?:どう|何を)(?:すれば|したら)(?:いい|よい|良い)(?:です|でしょう)?か?|为什么|なぜですか)\s*[?？.。!]*$/iu;
const CHAT =
  /(?<!\p{L})(?:lol|lmao|haha+|hehe+|mdr|ptdr|jaja+|jeje+|xd|tbh|btw|sry|dsl|perdón|perdon|plz)(?!\p{L})/iu;
const SELF = pattern(FIRST_PERSON, String.raw`(?<![\p{L}'’])`, String.raw`(?!\p{L})`);
const CONDITION = pattern(CONDITIONS, String.raw`^\s*`, String.raw`(?!\p{L})`);
const TRAILING_CJK = pattern(TRAILERS_CJK, '', String.raw`[\s。！!、，,]*(?=[?？]*$)`);
const OPENING = /^[\s"'“„«(¡¿]+/u;
/** "… nobody knew, so can I carry over my vacation?" */
const CONSEQUENCE =
  /[,;:.–—]\s*(?:so|also|deshalb|daher|donc|alors|así que|por eso|entonces|quindi|então|поэтому)[,:]?\s+(?=\S)|:\s+(?=¿)|(?=¿)/iu;
const CLAUSE_END = /[,:;–—]\s*/gu;
const QUESTION_MARK = /[?？؟]["'”’»)\]]*\s*$/u;

/** First words of a direct question. They are relative pronouns, too, so that more must tell a question. */
const AUXILIARY = String.raw`(?:is|are|was|were|am|do|does|did|can|could|should|shall|would|will|has|have|had|must|may|might|isn['’]t|aren['’]t|don['’]t|doesn['’]t)`;
/** Before a question word that is not a relative pronoun. */
const NOT_RELATIVE = String.raw`(?<=^|[\p{P}]\s*|(?<![\p{L}])(?:and|or|but|so|then|know|knew|tell|told|ask|asked|asking|wonder|wondering|me|us|sure|u+h+m*|u+m+|e+r+m?|out|understand|explain|idea|question|see|say|please|unclear|about)\s+)`;
const INTERROGATIVES = [
  String.raw`(?:what|why|how|${NOT_RELATIVE}(?:which|who|whose|whom|where|when))(?:['’]s| ${AUXILIARY}(?![\p{L}]))`,
  String.raw`${NOT_RELATIVE}who (?!said|told|asked)\p{L}+(?:s|ed)(?![\p{L}])`,
  String.raw`how (?:many|much|long|often|far|old|big|large|high|tall|fast|soon|late|early|quickly|to)(?![\p{L}])`,
  String.raw`(?:at |for |by |in |on |to |from |until )?(?:what|which|whose)(?: [\p{L}\p{N}-]+){1,3} ${AUXILIARY}(?![\p{L}])`,
  String.raw`(?:was (?:ist|sind|kostet|kosten|passiert|bedeutet|muss|soll|kann|darf|macht|gilt|gehört|steht|brauche)|wie (?:lang|lange|viel|viele|hoch|oft|weit|groß|teuer|schnell|alt|spät|früh|häufig|kann|muss|ist|sind|wird|werden|heißt|lautet|funktioniert|geht|bekomme|soll|mache|melde|wird)|welche[rsmn]?|wann|wieviel|warum|wieso|weshalb|wohin|woher|wofür|womit|wer|wem|wessen|(?<!,\s*)wo|(?:bis|ab|seit) wann|(?:ab|bis|seit|in|auf|für|an|zu|mit|von|aus|bei|nach|unter) welche[rmn]?)(?![\p{L}])`,
  String.raw`(?:(?:à |de |dans |pour |sur |avec |depuis |jusqu['’]à |en |à partir de |sous )?quel(?:le)?s?|combien|comment|pourquoi|quand (?:est|doit|peut|faut|commence|dois|sont)|où (?:est|sont|puis|peut|se|faut|dois)|(?:quand|où)(?= .{1,60}-(?:t-)?(?:il|elle|on|ce|ils|elles|je|vous)(?!\p{L}))|qu['’]est-ce|est-ce qu|qui (?:est|sont|doit|peut|approuve|valide|décide|paie)|que (?:se passe|faut|dois|doit)|y a-t-il|à qui|à partir de quand)(?![\p{L}])`,
  String.raw`(?:a |de |en |para |con |por |desde |hasta |a partir de )?(?:qué|cuál|cuáles|cuánt[oa]s?|cómo|cuándo|dónde|quién|quiénes)(?![\p{L}])`,
  String.raw`(?:(?:a |di |in |per |da )?(?:qual[ie]?|quant[oaie]|quando|dove|perché|come (?:si|posso|devo|funziona|è)|cos['’]è|che cos)|qua(?:l|is)|quant[oa]s?|como (?:posso|se|devo|funciona|é)|onde|por que|quem)(?![\p{L}])`,
  String.raw`(?:как(?:ой|ая|ое|ие|ова|ов|овы|им|их|ую)?|сколько|когда|где|почему|зачем|кто|куда|откуда)(?![\p{L}])`,
  String.raw`(?:كم|متى|أين|لماذا|كيف|من هو|ما هو|ما هي|هل|ما)(?!\p{L})`,
];
const STARTS_QUESTION = pattern(INTERROGATIVES, '^', '');
/** Where a question begins inside a sentence. */
const QUESTION_INSIDE = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${spaced(INTERROGATIVES)})`, 'giu');
/** Words and marks after which a preamble is over: "no idea but where …", "… 😅 when …". */
const AFTER_PREAMBLE = String.raw`(?<=[:;!.…\p{So}]\s*|(?<![\p{L}])(?:${PREAMBLE_ENDS.join('|')}),?\s+)`;
const AFTER_PREAMBLE_INSIDE = new RegExp(
  String.raw`${AFTER_PREAMBLE}(?:(?:(?:from|for|at|an|ab|bis|seit|in|für|mit|à|de|sous|en|a|por|à partir de|a partir de) )?(?:what|which|who|whose|where|when|why|how|was|wann|wo|wer|wie|warum|welche[rmns]?|où|quand|qui|que|qu['’]est|quoi|combien|comment|quel(?:le)?s?|c['’]est quoi|qu[eé]|cu[aá]l(?:es)?|cu[aá]nt[oa]s?|c[oó]mo|cu[aá]ndo|d[oó]nde|qui[eé]n(?:es)?)(?![\p{L}])|¿)`,
  'giu',
);
/** Where the last part of a preamble ends, if no question word follows: "I am in a hurry: can I …" */
const PREAMBLE_COLON = /[:…]\s+(?=\S)/gu;
/** What each of several dependent clauses of a request begins with. */
const CLAUSE_START =
  /(?<=^|[,;]\s*|(?<!\p{L})(?:and|und|et|y|e|и)\s+)(?:what|which|who|whose|where|when|why|how|was|wann|wo|wer|wie|warum|welche[rmns]?|où|quand|qui|combien|comment|quel(?:le)?s?|qué|cuál(?:es)?|cuánt[oa]s?|cómo|cuándo|dónde|quién(?:es)?|где|когда|кто|как|сколько)(?![\p{L}])/giu;
/** Before a second question of a sentence. */
const CONJUNCTION =
  /(?:^|[\s,;])(?:and|or|und|oder|sowie|et|ou|y|e|o|и|و)(?:\s+(?:also|then|auch|außerdem|aussi|puis|también|además|anche|também))?\s*$/iu;
const COMMA = /[,;]\s*$/u;
const COORDINATION =
  /[\s,;]+(?:(?:and|or|und|oder|sowie|et|ou|y|e|o|и|و)(?:\s+(?:also|then|auch|außerdem|aussi|puis|también|además|anche|também))?)?\s*$/iu;
const ABBREVIATION =
  /(?:^|[\s(])(?:(?-i:\p{Lu})\p{L}{0,2}|\d{1,3}|bzw|ca|usw|vs|e\.g|i\.e|z\. ?b|d\. ?h|p\. ?ej|approx|art|abs|prof)\.$/iu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const ASKS_CJK =
  /什么|什麼|多少|多久|多长|多大|多高|几[个天次年月点]|哪|谁|誰(?!も)|怎|如何|是否|为何|吗|嗎|呢[?？]?$|能否|何[がをでにはのか時日年月回度人歳処]|なに|なん|いつ(?!も)|どこ(?!も)|だれ(?!も)|どう(?!も)|どの|どれ|いくら|いくつ|なぜ|(?:です|ます|でしょう|ません|でした|ました|の)か(?:[?？。]|$)|무엇|뭐|언제|어디|누구|누가|왜|얼마|몇|어떻게|어떤|(?:입니까|습니까|인가요|나요|까요|가요|을까|되나)/u;
const BACKGROUND_CJK =
  /我|咱们|大家|(?:ですが|ますが|ましたが|でしたが|ですけど|ますけど|ましたけど|だけど|けれども?|んで|ので)$|저는|제가|우리|저희|는데$|지만$/u;
const CONDITION_CJK = /^(?:如果|假如|若|要是|除非|万一|当|もし|仮に|만약|만일)|(?:场合|場合|とき|時)$/u;
const CLAUSE_CJK =
  /[，,、；;：:]|\p{So}\s*|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}～〜w])\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;
/** Ends of a question that need no mark. */
const MARK_CJK = /(?:か|吗|嗎|呢|까|나요|가요)[。.!！]?\s*$/u;
const PARTICLES = /[啊呀哦嘛啦]+$/u;
const REQUEST_CJK = pattern(REQUESTS_CJK, '', '');
/** Verbs that ask for something without a question mark, at the beginning of a sentence. */
const IMPERATIVE =
  /^(?:explain|describe|list|show|find|search|compare|summari[sz]e|define|give|name|outline|calculate|translate|look up|tell|erklär\p{L}*|beschreib\p{L}*|nenn\p{L}*|zeig\p{L}*|such\p{L}*|vergleich\p{L}*|fass\p{L}*|definier\p{L}*|liste|expliqu\p{L}*|décri\p{L}*|list\p{L}*|montr\p{L}*|cherch\p{L}*|compar\p{L}*|résum\p{L}*|défini\p{L}*|explica|explique|describ\p{L}*|muestr\p{L}*|busca|busque|resum\p{L}*|define)(?![\p{L}])/iu;

/**
 * The questions of a message, each without greetings, thanks, instructions about the form of the answer, quoted mail and
 * signature. Background sentences are left out where a sentence asks. A message that asks nothing (a few keywords) is one
 * question. At least one, at most {@link MAX_QUESTIONS}, in order.
 *
 * Works by phrases of the languages of the product, without a model. Text in another language is kept.
 */
export function askedQuestions(message: string): string[] {
  const text = withoutShouting(clip(withReadableNames(authoredText(message.normalize('NFC')))));
  const all = paragraphs(text).flatMap(sentences);
  const read =
    all.length <= MAX_SENTENCES
      ? all
      : [...all.slice(0, MAX_SENTENCES / 2), ...all.slice(-MAX_SENTENCES / 2)];
  const parts = read
    .map((raw) => ({ raw, sentence: raw.length > MAX_SENTENCE ? raw : withoutCourtesy(withoutLeading(raw)) }))
    .filter(({ sentence }) => /[\p{L}\p{N}]/u.test(sentence) && !isCourtesy(sentence));
  const questions: string[] = [];
  const hasMarks = parts.some(({ raw }) => QUESTION_MARK.test(raw) || MARK_CJK.test(raw));
  parts.forEach(({ raw, sentence }, index) => {
    for (const question of questionsOf(sentence, hasMarks)) {
      // "How long is it?" is about what the sentence before it says.
      const before = parts[index - 1]?.sentence;
      questions.push(
        before !== undefined && isIncomplete(question, raw) ? `${before} ${question}` : question,
      );
    }
  });
  const distinct = distinctQuestions(questions);
  if (distinct.length > 0) return distinct;
  const rest = withoutTrailing(parts.map(({ sentence }) => sentence).join(' '));
  return [rest === '' ? message.trim() : rest];
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
    if (next && ABBREVIATION.test(text) && !STARTS_QUESTION.test(paragraph.slice(next.start))) return;
    found.push(text);
    start = next?.start ?? end;
  });
  return found;
}

function withoutLeading(sentence: string): string {
  let rest = sentence.trim();
  for (let at = 0; at < 8; at += 1) {
    const shorter = rest.replace(OPENING, '').replace(LEADING, '');
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

function withoutTrailing(sentence: string): string {
  const head = sentence.slice(0, -TAIL);
  let rest = sentence.slice(-TAIL);
  for (let at = 0; at < 4; at += 1) {
    const shorter = rest.replace(TRAILING, '').replace(FORM, '').replace(TRAILING_CJK, '');
    if (shorter === rest || !/\p{L}/u.test(head + shorter)) break;
    rest = shorter;
  }
  return (head + rest).trim();
}

/** "It is urgent, can I carry over my vacation?" asks after its first clause. */
function withoutCourtesy(sentence: string): string {
  if (!QUESTION_MARK.test(sentence) || !COURTESY.test(sentence)) return sentence;
  for (const { index, 0: end } of sentence.matchAll(CLAUSE_END)) {
    const rest = withoutLeading(sentence.slice(index + end.length));
    if (!COURTESY.test(rest) && questionTerms(rest).size > 0) return rest;
  }
  return sentence;
}

/** Whether a question cannot be understood without what stands before it. */
function isIncomplete(question: string, sentence = question): boolean {
  const { size } = questionTerms(question);
  if (GENERIC.test(question)) return true;
  if (size !== 1) return size === 0;
  const isContinued = continues(sentence) && !STARTS_QUESTION.test(question);
  return isContinued || refersBack(question.replace(ARTICLE, ''));
}

function isCourtesy(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE || !COURTESY.test(sentence)) return false;
  // "Thanks for the manual, what is the notice period?" asks after its courtesy.
  return questionStarts(sentence).length === 0 && requestedOf(sentence) === undefined;
}

/** The questions of one sentence; none if the sentence tells something. */
function questionsOf(sentence: string, hasMarks: boolean): string[] {
  const hasMark = QUESTION_MARK.test(sentence);
  const whole = withoutTrailing(sentence);
  if (whole === '') return [];
  if (whole.length > MAX_SENTENCE) return hasMark ? [whole] : [];
  if (CJK.test(whole)) return questionsOfCjk(whole, sentence, hasMarks);
  const consequence = hasMark ? (whole.split(CONSEQUENCE).at(-1) ?? whole) : whole;
  const start = isIncomplete(consequence) ? whole : consequence;
  const requested = requestedOf(start);
  const bare = requested ?? withoutLeading(start.replace(OPENING, '').replace(LEAD_IN, ''));
  const text = /\p{L}/u.test(bare) ? bare : whole;
  const isRequest = text !== whole;
  const preamble = preambleEnd(text, hasMark);
  if (preamble > 0) return questionsOf(sentence.slice(sentence.indexOf(text.slice(preamble))), hasMarks);
  const [first = -1, ...others] = isRequest ? clauseStarts(text) : questionStarts(text);
  const before = text.slice(0, Math.max(0, first));
  const isBackground = SELF.test(before) && !CONDITION.test(before);
  const asks = hasMark || isRequest || first === 0 || isBackground || IMPERATIVE.test(text);
  if (!asks) return [];
  const from = isBackground ? first : 0;
  if (others.length === 0) {
    const listed = listedThings(withoutTrailing(text.slice(from)), isRequest);
    if (listed.length > 0) return listed;
  }
  const starts = [from, ...others];
  return starts.map((start, index) => {
    const clause = text.slice(start, starts[index + 1]);
    return withoutTrailing(starts[index + 1] === undefined ? clause : clause.replace(COORDINATION, ''));
  });
}

/** What a request asks for, if courtesy stands before the request. */
function requestedOf(sentence: string): string | undefined {
  const cut = sentence.replace(REQUEST, '');
  const rest = withoutLeading(cut);
  return cut !== sentence && !OFFER.test(rest) && questionTerms(rest).size > 0 ? rest : undefined;
}

/**
 * Where apologies, chat and words about the author end, before the question of the same sentence. 0: nowhere, or the question
 * would lose its subject.
 */
function preambleEnd(text: string, hasMark: boolean): number {
  const inside = [...text.matchAll(AFTER_PREAMBLE_INSIDE)];
  const ends = hasMark
    ? [...text.matchAll(PREAMBLE_COLON)].map(({ index, 0: end }) => index + end.length)
    : [];
  const candidates = [...inside.map(({ index }) => index), ...ends].sort((a, b) => b - a);
  return (
    candidates.find((end) => {
      const before = text.slice(0, end);
      const rest = text.slice(end);
      if (CONDITION.test(before) || isIncomplete(rest)) return false;
      if (refersBack(rest.replace(ARTICLE, '').replace(EXPLETIVE, ''))) return false;
      return SELF.test(before) || CHAT.test(before) || COURTESY.test(before);
    }) ?? 0
  );
}

/** Where the dependent clauses of a request begin. */
function clauseStarts(text: string): number[] {
  const starts = [...text.matchAll(CLAUSE_START)].map(({ index }) => index);
  if (starts[0] !== 0) return questionStarts(text);
  return starts.filter((start, index) => index === 0 || !isIncomplete(text.slice(start, starts[index + 1])));
}

/** Where the question of a sentence begins, and the ones that are coordinated with it. */
function questionStarts(text: string): number[] {
  const starts = [...text.matchAll(QUESTION_INSIDE)].map(({ index }) => index);
  const kept: number[] = [];
  let end = text.length;
  let isList = false;
  // From the end: a comma separates questions only in a list that ends with "and".
  for (const start of starts.toReversed()) {
    const before = text.slice(0, start);
    const isListed: boolean = CONJUNCTION.test(before) || (isList && COMMA.test(before));
    if (start !== starts[0] && !isListed) continue;
    isList ||= isListed;
    if (isIncomplete(text.slice(start, end))) continue;
    kept.unshift(start);
    end = start;
  }
  return kept;
}

function questionsOfCjk(whole: string, sentence: string, hasMarks: boolean): string[] {
  const text = withoutLeading(whole).replace(LEAD_IN, '');
  const hasMark = QUESTION_MARK.test(sentence) || MARK_CJK.test(sentence);
  const isRequest = text !== whole || REQUEST_CJK.test(sentence);
  // Where other sentences have a mark, words such as 什么 are indefinite in those without: 什么都不知道。
  if (!hasMark && !isRequest && (hasMarks || !ASKS_CJK.test(text))) return [];
  const listed = listedThingsCjk(text);
  if (listed.length > 0) return listed;
  const all = text
    .split(CLAUSE_CJK)
    .map((clause) => withoutLeading(clause).replace(LEAD_IN, '').replace(PARTICLES, ''));
  const clauses = all.filter((clause) => clause !== '' && !COURTESY.test(clause));
  // Background ends with the clause that tells of the author, or that a Japanese particle marks as an introduction.
  const asking = clauses.findIndex((clause) => ASKS_CJK.test(clause));
  const background = (asking < 0 ? clauses : clauses.slice(0, asking)).findLastIndex(
    (clause) => BACKGROUND_CJK.test(clause) && !CONDITION_CJK.test(clause),
  );
  const own = clauses.slice(background + 1);
  const isEachAsked = own.every((clause) => ASKS_CJK.test(clause) && questionTerms(clause).size > 0);
  if (own.length > 1 && isEachAsked) return own;
  const asked = own.join('，');
  return [questionTerms(asked).size > 0 ? asked : text];
}

/** Drops questions without content, and ones that ask for the same words again. */
function distinctQuestions(questions: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const question of questions) {
    const key = [...questionTerms(question).keys()].sort().join(' ');
    if (key !== '' && !seen.has(key)) seen.set(key, question.trim());
  }
  return [...seen.values()].slice(0, MAX_QUESTIONS);
}
