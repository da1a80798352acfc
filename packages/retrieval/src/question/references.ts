/** Words that refer to an earlier message. */
const ANAPHORA =
  /(?<![\p{L}\p{N}])(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|there|then|former|latter|same|ones?|er|ihn|ihm|sie|ihr|ihnen|es|dies(?:e[rmns]?)?|das|dort|davon|dazu|daran|dafür|il|elle|ils|elles|lui|leur|cela|ça|celui|celle|ce|él|ella|ellos|ellas|eso|esto|esa|ese|allí|lui|lei|loro|questo|quello|ciò|ele|ela|eles|elas|isso|isto|он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|там|هو|هي|هم|هذا|هذه|ذلك|تلك)(?![\p{L}\p{N}])/iu;
const ANAPHORA_CJK = /它|他|她|这|這|那|其|それ|これ|その|この|あれ|彼|그것|이것|그거|이거|그는|그녀/u;
/** First words of a question that continues from the last answer. */
const CONTINUATION =
  /^\s*(?:and|but|so|or|also|what about|how about|why|what else|und|aber|warum|wieso|et|mais|pourquoi|y|pero|por qué|e|ma|perché|mas|por quê|и|а|но|почему|و|لماذا|那|那么|为什么|では|なぜ|그럼|왜)(?![\p{L}\p{N}])/iu;

/** Words that have the form of a pronoun and refer to nothing: "is there", "gibt es", the French subject after its verb, the polite German address. */
const EXPLETIVE =
  /(?<!\p{L})(?:(?:is|are|was|were) there|there (?:is|are|was|were)|gibt es|es gibt|y a-t-il|il y a)(?!\p{L})|(?<=\p{L})-(?:t-)?(?:ils?|elles?)(?!\p{L})/giu;
const ADDRESS = /(?<=\S\s)(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})/gu;
/** The German article, which is a pronoun elsewhere. */
const ARTICLE = /(?<!\p{L})[Dd]as(?=\s+\p{Lu})/gu;

/** Whether a question has a word that refers to an earlier sentence. */
export function refersBack(question: string): boolean {
  const text = question.replace(ADDRESS, '').replace(ARTICLE, '').replace(EXPLETIVE, '');
  return ANAPHORA.test(text) || ANAPHORA_CJK.test(text);
}

/** Whether a question begins as the continuation of another one: "And on Sundays?" */
export function continues(question: string): boolean {
  return CONTINUATION.test(question);
}
