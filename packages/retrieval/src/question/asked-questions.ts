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
  TRAILERS,
  TRAILERS_CJK,
} from './message-phrases.js';
import { continues, refersBack } from '../prompts/question-rewrite.js';
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
const SEPARATOR = String.raw`[\s,;:.!…–—、，。！・-]*`;
const LEADING = pattern([...GREETINGS, ...FILLERS], '^', SEPARATOR);
const LEAD_IN = pattern(LEAD_INS, '^', String.raw`[\s,:、，]*`);
const COURTESY = pattern(COURTESIES, '^', '');
const TRAILING = pattern(TRAILERS, String.raw`[\s,;.!–—-]+`, String.raw`[\s.!,]*(?=[?？]?\s*$)`);
const FORM = pattern(FORMS, String.raw`\s*[,;–—-]\s*`, String.raw`[\s.!,]*(?=[?？]?\s*$)`);
const SELF = pattern(FIRST_PERSON, String.raw`(?<![\p{L}'’])`, String.raw`(?!\p{L})`);
const CONDITION = pattern(CONDITIONS, String.raw`^\s*`, String.raw`(?!\p{L})`);
const TRAILING_CJK = pattern(TRAILERS_CJK, '', String.raw`[\s。！!、，,]*(?=[?？]?$)`);
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
  String.raw`(?:was (?:ist|sind|kostet|kosten|passiert|bedeutet|muss|soll|kann|darf|macht|gilt|gehört|steht|brauche)|wie (?:lang|lange|viel|viele|hoch|oft|weit|groß|teuer|schnell|alt|spät|früh|häufig|kann|muss|ist|sind|wird|werden|heißt|lautet|funktioniert|geht|bekomme|soll|mache|melde|wird)|welche[rsmn]?|wann|wieviel|warum|wieso|weshalb|wohin|woher|wofür|womit|wer (?:ist|sind|genehmigt|darf|muss|kann|hat|zahlt|bekommt|entscheidet|trägt)|wem|wessen|wo (?:ist|sind|finde|kann|muss|gibt|steht|melde)|(?:bis|ab|seit) wann|in welche[rmn]|auf welche[rmn]|für welche[rmn]?)(?![\p{L}])`,
  String.raw`(?:(?:à |de |dans |pour |sur |avec |depuis |jusqu['’]à |en )?quel(?:le)?s?|combien|comment|pourquoi|quand (?:est|doit|peut|faut|commence|dois|sont)|où (?:est|sont|puis|peut|se|faut|dois)|qu['’]est-ce|est-ce qu|qui (?:est|sont|doit|peut|approuve|valide|décide|paie)|que (?:se passe|faut|dois|doit)|y a-t-il|à qui|à partir de quand)(?![\p{L}])`,
  String.raw`(?:a |de |en |para |con |por |desde |hasta )?(?:qué|cuál|cuáles|cuánt[oa]s?|cómo|cuándo|dónde|quién|quiénes)(?![\p{L}])`,
  String.raw`(?:(?:a |di |in |per |da )?(?:qual[ie]?|quant[oaie]|quando|dove|perché|come (?:si|posso|devo|funziona|è)|cos['’]è|che cos)|qua(?:l|is)|quant[oa]s?|como (?:posso|se|devo|funciona|é)|onde|por que|quem)(?![\p{L}])`,
  String.raw`(?:как(?:ой|ая|ое|ие|ова|ов|овы|им|их|ую)?|сколько|когда|где|почему|зачем|кто|куда|откуда)(?![\p{L}])`,
  String.raw`(?:كم|متى|أين|لماذا|كيف|من هو|ما هو|ما هي|هل|ما)(?!\p{L})`,
];
const STARTS_QUESTION = pattern(INTERROGATIVES, '^', '');
/** Where a question begins inside a sentence. */
const QUESTION_INSIDE = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${spaced(INTERROGATIVES)})`, 'giu');
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
const CLAUSE_CJK = /[，,、；;：:]/u;
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
  const text = withoutShouting(clip(authoredText(message.normalize('NFC'))));
  const all = paragraphs(text).flatMap(sentences);
  const read =
    all.length <= MAX_SENTENCES
      ? all
      : [...all.slice(0, MAX_SENTENCES / 2), ...all.slice(-MAX_SENTENCES / 2)];
  const parts = read
    .map((raw) => ({ raw, sentence: raw.length > MAX_SENTENCE ? raw : withoutCourtesy(withoutLeading(raw)) }))
    .filter(({ sentence }) => /[\p{L}\p{N}]/u.test(sentence) && !isCourtesy(sentence));
  const questions: string[] = [];
  parts.forEach(({ raw, sentence }, index) => {
    for (const question of questionsOf(sentence)) {
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
  return size === 0 || (size === 1 && (refersBack(question) || continues(sentence)));
}

function isCourtesy(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE || !COURTESY.test(sentence)) return false;
  // "Thanks for the manual, what is the notice period?" asks after its courtesy.
  return questionStarts(sentence).length === 0;
}

/** The questions of one sentence; none if the sentence tells something. */
function questionsOf(sentence: string): string[] {
  const hasMark = QUESTION_MARK.test(sentence);
  const whole = withoutTrailing(sentence);
  if (whole === '') return [];
  if (whole.length > MAX_SENTENCE) return hasMark ? [whole] : [];
  if (CJK.test(whole)) return questionsOfCjk(whole, hasMark);
  const consequence = hasMark ? (whole.split(CONSEQUENCE).at(-1) ?? whole) : whole;
  const bare = withoutLeading(consequence.replace(OPENING, '').replace(LEAD_IN, ''));
  const text = /\p{L}/u.test(bare) ? bare : whole;
  const isRequest = text !== whole;
  const [first = -1, ...others] = questionStarts(text);
  const before = text.slice(0, Math.max(0, first));
  const isBackground = SELF.test(before) && !CONDITION.test(before);
  const asks = hasMark || isRequest || first === 0 || isBackground || IMPERATIVE.test(text);
  if (!asks) return [];
  const from = isBackground ? first : 0;
  const starts = [from, ...others];
  return starts.map((start, index) => {
    const clause = text.slice(start, starts[index + 1]);
    return withoutTrailing(starts[index + 1] === undefined ? clause : clause.replace(COORDINATION, ''));
  });
}

/** Where the question of a sentence begins, and the ones that are coordinated with it. */
function questionStarts(text: string): number[] {
  const starts = [...text.matchAll(QUESTION_INSIDE)].map(({ index }) => index);
  const kept: number[] = [];
  let end = text.length;
  // From the end: a comma separates questions only in a list that ends with "and".
  for (const start of starts.toReversed()) {
    const before = text.slice(0, start);
    const isListed = CONJUNCTION.test(before) || (kept.length > 0 && COMMA.test(before));
    if (start !== starts[0] && !isListed) continue;
    if (isIncomplete(text.slice(start, end))) continue;
    kept.unshift(start);
    end = start;
  }
  return kept;
}

function questionsOfCjk(whole: string, hasMark: boolean): string[] {
  const text = withoutLeading(whole).replace(LEAD_IN, '');
  if (!hasMark && !ASKS_CJK.test(text) && text === whole) return [];
  const clauses = text.split(CLAUSE_CJK).map((clause) => clause.trim());
  // Background ends with the clause that tells of the author, or that a Japanese particle marks as an introduction.
  const background = clauses.findLastIndex(
    (clause) => BACKGROUND_CJK.test(clause) && !ASKS_CJK.test(clause) && !CONDITION_CJK.test(clause),
  );
  const rest = clauses.slice(background + 1).map((clause) => withoutLeading(clause).replace(LEAD_IN, ''));
  const asked = rest.filter((clause) => clause !== '').join('，');
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
