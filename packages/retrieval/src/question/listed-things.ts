import { questionTerms } from './question-terms.js';

/** At least so many things are a list. Two often belong together: "food and drink". */
const MIN_THINGS = 3;
const MAX_WORDS = 6;

/** A question word and a verb. */
const PREFIX =
  /^(?:(?:what|which|where|when|how (?:long|high|much|big|old))(?: (?:is|are|was|were)|['’]s)|(?:was|wie(?: (?:lang|lange|hoch|groß|alt|teuer))?|wo|wann|welche[rs]?) (?:ist|sind|war|waren|dauern|kosten)|(?:quel(?:le)?s?|où|combien(?: de temps)?) (?:est|sont|durent|coûtent)|quelle est la durée|(?:cuál(?:es)?|dónde|cuándo) (?:es|son|está|están)|cuánto (?:duran|cuestan|miden|pesan))\s+/iu;
const SEPARATOR = /,\s*(?:(?:and|or|und|oder|et|ou|y|e|o)\s+)?|\s(?:and|or|und|oder|et|ou|y|e|o)\s+/iu;
/** In the part of a list after its last comma. */
const LAST_CONJUNCTION = /\s(?:and|or|und|oder|et|ou|y|e|o)\s/iu;
const ARTICLE = /^(?:the|my|our|your|der|die|das|den|dem|le|la|les|el|los|las|l['’])\s*/iu;
const END = /(?<![?.!。？])[?.!。？]+$/u;

const SEPARATOR_CJK =
  /、(?:以及|和)?|(?<=[\p{Script=Han}\p{Script=Katakana}])(?:和|以及|跟|与|と)(?=[\p{Script=Han}\p{Script=Katakana}A-Za-z])/u;
const PREDICATE_CJK =
  /(?:(?:(?:分别|各)(?:是|为|有|在)?|是|在)(?:多少|多久|什么|哪里|哪儿)[^、，]{0,2}|吗|は(?:それぞれ)?(?:どう|どこ|何|いつ|いくら|どのくらい|どれくらい)[^、，は]{0,12}|(?:を|について)?)$/u;
/** A thing of a Chinese or Japanese list is short. */
const MAX_CHARACTERS = 14;
const POSSESSIVE_CJK = /的|の/u;
const NO_NAME_CJK = /[，,。；]|什么|多少|多久|哪|谁|誰|何|いつ|どこ|いくら|几|[是在有为对更都将会]|[はがを]/u;

/**
 * A question for each thing that a question lists: "What are the notice period, the probation period and the core hours?"
 * Empty if it lists fewer than three, or if the end of the last one may belong to all.
 *
 * @param isRequest the words before the list, such as "please tell me", are already cut
 */
export function listedThings(question: string, isRequest: boolean): string[] {
  const asked = question.replace(/^¿/u, '');
  const prefix = PREFIX.exec(asked)?.[0] ?? '';
  if (prefix === '' && !isRequest) return [];
  const list = asked.slice(prefix.length).replace(END, '');
  if (!LAST_CONJUNCTION.test(list.slice(list.lastIndexOf(',') + 1))) return [];
  const things = list.split(SEPARATOR).map((thing) => thing.trim());
  const haveArticles = things.every((thing) => ARTICLE.test(thing));
  const areShort = things.every((thing) => thing !== '' && thing.split(/\s+/).length <= MAX_WORDS);
  if (things.length < MIN_THINGS || !areShort) return [];
  // "minimum, average and maximum salaries": a longer last thing may complete those before it.
  const lengths = things.map((thing) => thing.replace(ARTICLE, '').split(/\s+/).length);
  const isCompleted = Math.max(...lengths.slice(0, -1)) < (lengths.at(-1) ?? 0);
  if (!haveArticles && isCompleted) return [];
  return asQuestions(things, (thing) => `${prefix}${thing}`);
}

/** The same for Chinese and Japanese. What belongs to all stands before the first thing. */
export function listedThingsCjk(question: string): string[] {
  const bare = question.replace(END, '');
  if (!bare.includes('、') && bare.split(SEPARATOR_CJK).length < MIN_THINGS) return [];
  const predicate = PREDICATE_CJK.exec(bare)?.[0] ?? '';
  const list = bare.slice(0, bare.length - predicate.length);
  const things = list.split(SEPARATOR_CJK).map((thing) => thing.trim());
  const areNames = things.every(
    (thing) => thing !== '' && thing.length <= MAX_CHARACTERS && !NO_NAME_CJK.test(thing),
  );
  if (things.length < MIN_THINGS || !areNames) return [];
  const [first = '', ...others] = things;
  if (POSSESSIVE_CJK.test(first) && !others.every((thing) => POSSESSIVE_CJK.test(thing))) return [];
  return asQuestions(things, (thing) => `${thing}${predicate}`);
}

function asQuestions(things: readonly string[], ask: (thing: string) => string): string[] {
  return things.every((thing) => questionTerms(thing).size > 0) ? things.map(ask) : [];
}
