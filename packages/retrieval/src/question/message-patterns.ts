/** Words that refer to an earlier message. */
const ANAPHORA =
  /(?<![\p{L}\p{N}])(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|there|then|former|latter|same|ones?|er|ihn|ihm|sie|ihr|ihnen|es|dies(?:e[rmns]?)?|das|dort|davon|dazu|daran|dafür|il|elle|ils|elles|lui|leur|cela|ça|celui|celle|ce|él|ella|ellos|ellas|eso|esto|esa|ese|allí|lui|lei|loro|questo|quello|ciò|ele|ela|eles|elas|isso|isto|он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|там|هو|هي|هم|هذا|هذه|ذلك|تلك)(?![\p{L}\p{N}])/iu;

const ANAPHORA_CJK = /它|他|她|这|這|那|其|それ|これ|その|この|あれ|彼|그것|이것|그거|이거|그는|그녀/u;

/** First words of a question that continues from the last answer. */
const CONTINUATION =
  /^\s*(?:and|but|so|or|also|what about|how about|why|what else|und|aber|warum|wieso|et|mais|pourquoi|y|pero|por qué|e|ma|perché|mas|por quê|и|а|но|почему|و|لماذا|那|那么|为什么|では|なぜ|그럼|왜)(?![\p{L}\p{N}])/iu;

/** Pronouns that refer to nothing: "is there", "gibt es", the French subject after its verb ("peut-il"). */
const EXPLETIVE =
  /(?<!\p{L})(?:(?:is|are|was|were) there|there (?:is|are|was|were)|gibt es|es gibt|y a-t-il|il y a)(?!\p{L})|(?<=\p{L})-(?:t-)?(?:ils?|elles?)(?!\p{L})/giu;

/** Capitalized inside a sentence, these are the polite "you" and "your". */
const GERMAN_POLITE_ADDRESS = /(?<=\S\s)(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})/gu;

/** "das" before a noun is an article, not a pronoun. */
const GERMAN_ARTICLE = /(?<!\p{L})[Dd]as(?=\s+\p{Lu})/gu;

/** A question whose object is a pronoun in the form of an article: "Comment la réparer ?", "¿Cómo lo soluciono?" */
export const CLITIC =
  /^¿?(?:comment|où|quand|pourquoi|cómo|dónde|cuándo|por qué|come|dove|quando|como|onde)\s+(?:(?:puis-je|peut-on|puedo|se|posso)\s+)?(?:la|le|les|l['’]|lo|los|las|li|gli|o|a|os|as)\s*\p{L}+\s*[?.!]*$/iu;
/** Opening quotation marks and a mention: "@bot". */
export const OPENING = /^[\s"'“„«(¡]*(?:@\S+\s+)?/u;
/** "… nobody knew, so can I carry over my vacation?" */
export const CONSEQUENCE =
  /[,;:.–—]\s*(?:so|also|deshalb|daher|donc|alors|así que|por eso|entonces|quindi|então|поэтому)[,:]?\s+(?=\S)|:\s+(?=¿)|(?=¿)/iu;
export const QUESTION_MARK = /[?？؟]["'”’»)\]]*\s*$/u;
/** Where the last part of a preamble ends, if no question word follows: "I am in a hurry: can I …" */
export const PREAMBLE_COLON = /(?:[:…]|\s[–—-]|\p{So})\s+(?=\S)/gu;
const AND = String.raw`(?:and|or|und|oder|sowie|et|ou|y|e|o|и|و)(?:\s+(?:also|then|auch|außerdem|aussi|puis|también|además|anche|também))?`;
/** Before a second question of a sentence. */
export const CONJUNCTION = new RegExp(String.raw`(?:^|[\s,;])${AND}\s*$`, 'iu');
export const COMMA = /[,;]\s*$/u;
export const COORDINATION = new RegExp(String.raw`(?<![\s,;])[\s,;]+(?:${AND}\s*)?$`, 'iu');
export const ABBREVIATION =
  /(?:^|[\s(])(?:(?-i:\p{Lu})\p{L}{0,2}|\d{1,3}|n|v|bzw|ca|usw|vs|e\.g|i\.e|z\. ?b|d\. ?h|p\. ?ej|approx|art|abs|prof)\.$/iu;
export const ASKS_CJK =
  /什么|什麼|多少|多久|多长|多大|多高|几[个天次年月点]|哪|谁|誰(?!も)|怎|如何|是否|为何|吗|嗎|呢[?？]?$|能否|何[がをでにはのか時日年月回度人歳処]|なに|なん|いつ(?!も)|どこ(?!も)|だれ(?!も)|どう(?!も)|どの|どれ|いくら|いくつ|なぜ|(?:です|ます|でしょう|ません|でした|ました|の)か(?:[?？。]|$)|무엇|뭐|언제|어디|누구|누가|왜|얼마|몇|어떻게|어떤|(?:입니까|습니까|인가요|나요|까요|가요|을까|되나)/u;
export const BACKGROUND_CJK =
  /我|咱们|大家|(?:ですが|ますが|ましたが|でしたが|ですけど|ますけど|ましたけど|だけど|けれども?|んで|ので)$|저는|제가|우리|저희|는데$|지만$/u;
export const CONDITION_CJK =
  /^(?:如果|假如|若|要是|除非|万一|当|もし|仮に|만약|만일)|(?:场合|場合|とき|時)$/u;
export const CLAUSE_CJK =
  /[，,、；;：:]|\p{So}\s*|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}～〜w])\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;
/** Final particles of questions, which need no question mark. */
export const MARK_CJK = /(?:か|吗|嗎|呢|까|나요|가요)[。.!！]?\s*$/u;
export const PARTICLES = /(?<![啊呀哦嘛啦])[啊呀哦嘛啦]+(?=[?？]*$)/u;

/** Whether a question has a word that refers to an earlier sentence. */
export function refersBack(question: string): boolean {
  const text = question.replace(GERMAN_POLITE_ADDRESS, '').replace(GERMAN_ARTICLE, '').replace(EXPLETIVE, '');
  return ANAPHORA.test(text) || ANAPHORA_CJK.test(text);
}

/** Whether a question continues the previous one: "And on Sundays?" */
export function continues(question: string): boolean {
  return CONTINUATION.test(question);
}
