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

// The sentences of a message have single spaces. At most MAX_SENTENCE characters are compared: the time is quadratic in the
// length of a sentence for some patterns.
const pattern = (alternatives: readonly string[], before: string, after: string): RegExp =>
  new RegExp(`${before}(?:${alternatives.join('|')})${after}`, 'iu');
const SEPARATOR = String.raw`[\s,;:.!…–—、，。！・~〜～\p{So}-]*`;
export const LEADING = pattern([...GREETINGS, ...FILLERS], '^', SEPARATOR);
/** After a lead-in. "looking for" is none in "looking forward". */
const WORD_END = String.raw`(?:(?<![\p{Script=Latin}\p{Script=Cyrillic}])|(?!\p{L}))`;
export const LEAD_IN = pattern(LEAD_INS, '^', String.raw`${WORD_END}[\s,:、，]*`);
/** A request after words of courtesy: "I would be grateful if you could tell me …". */
export const REQUEST = pattern(REQUESTS, String.raw`^.{0,120}?(?<![\p{L}])`, String.raw`(?!\p{L})[\s,:]*`);
/** "let me know if you need anything" asks nothing. */
export const OFFER =
  /^(?:(?:if )?you (?:need|have any|want|require|would like)|anything|something|soon|asap|(?:wenn|falls) (?:sie|du) (?:noch|etwas|weitere)|vous avez (?:besoin|d['’]autres))(?!\p{L})/iu;
export const COURTESY = pattern(COURTESIES, '^', '');
export const TRAILING = pattern(
  TRAILERS,
  String.raw`(?<![\s,;.!–—-])[\s,;.!–—-]+`,
  String.raw`[\s.!,]*(?=$|[?？]+\s*$)`,
);
export const FORM = pattern(
  FORMS,
  String.raw`(?:(?<!\s)\s+)?[,;–—-]\s*`,
  String.raw`[\s.!,]*(?=$|[?？]\s*$)`,
);
/** Questions about what was said before them: "What can I do?" */
export const GENERIC =
  /^(?:(?:so |and |also |und |alors |et |y |entonces )?(?:what (?:now|next|(?:can|should|could|must|do|shall) (?:i|we) do(?: now| then| about (?:it|this|that))?|to do|does (?:that|this|it) mean)|why(?: not)?|how (?:come|so)|any (?:ideas?|help)|was (?:nun|jetzt|tun|(?:kann|soll|muss) (?:ich|man) (?:da |jetzt |nun |dagegen )?(?:tun|machen)|bedeutet das)|warum(?: nicht)?|wieso|que (?:faire|puis-je faire|dois-je faire)|comment (?:faire|puis-je faire)|pourquoi|qué (?:hago|hacer|puedo hacer|debo hacer|significa(?: eso)?)|por qué|что делать)|(?:我|该|应该)*怎么办(?:呢|才好)?|(?:それで)?(?:どう|何を)(?:すれば|したら)(?:いい|よい|良い)(?:です|でしょう)?か?|为什么|(?:该|要|应该|能|可以)*(?:怎么|如何)(?:解决|处理|修|修理|修复|弄|做|搞)(?:呢|才好)?|(?:どうやって|どう)(?:直し|解決し|対処し)(?:ます|たらいいです|たらよいです|ればいいです|ればよいです)か?|なぜですか)\s*[?？.。!]*$/iu;
/** A pronoun that is an article elsewhere: "Comment la réparer ?", "¿Cómo lo soluciono?" */
export const CLITIC =
  /^(?:comment|où|quand|pourquoi|cómo|dónde|cuándo|por qué|come|dove|quando|como|onde)\s+(?:(?:puis-je|peut-on|puedo|se|posso)\s+)?(?:la|le|les|l['’]|lo|los|las|li|gli|o|a|os|as)\s*\p{L}+\s*[?.!]*$/iu;
export const CHAT =
  /(?<!\p{L})(?:lol|lmao|haha+|hehe+|mdr|ptdr|jaja+|jeje+|xd|tbh|btw|sry|dsl|perdón|perdon|plz)(?!\p{L})/iu;
export const SELF = pattern(FIRST_PERSON, String.raw`(?<![\p{L}'’])`, String.raw`(?!\p{L})`);
export const CONDITION = pattern(CONDITIONS, String.raw`^\s*`, String.raw`(?!\p{L})`);
export const TRAILING_CJK = pattern(TRAILERS_CJK, '', String.raw`[\s。！!、，,]*(?=[?？]*$)`);
export const OPENING = /^[\s"'“„«(¡¿]+/u;
/** "… nobody knew, so can I carry over my vacation?" */
export const CONSEQUENCE =
  /[,;:.–—]\s*(?:so|also|deshalb|daher|donc|alors|así que|por eso|entonces|quindi|então|поэтому)[,:]?\s+(?=\S)|:\s+(?=¿)|(?=¿)/iu;
export const CLAUSE_END = /[,:;–—]\s*/gu;
export const QUESTION_MARK = /[?？؟]["'”’»)\]]*\s*$/u;

/** First words of a direct question. They are relative pronouns, too, so that more must tell a question. */
const AUXILIARY = String.raw`(?:is|are|was|were|am|do|does|did|can|could|should|shall|would|will|has|have|had|must|may|might|isn['’]t|aren['’]t|don['’]t|doesn['’]t)`;
/** Before a question word that is not a relative pronoun. */
const NOT_RELATIVE = String.raw`(?=w)(?<=^|[\p{P}]\s*|(?<![\p{L}])(?:and|or|but|so|then|know|knew|tell|told|ask|asked|asking|wonder|wondering|me|us|sure|u+h+m*|u+m+|e+r+m?|out|understand|explain|idea|question|see|say|please|unclear|about)\s+)`;
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
export const STARTS_QUESTION = pattern(INTERROGATIVES, '^', '');
/** Where a question begins inside a sentence. */
export const QUESTION_INSIDE = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:${INTERROGATIVES.join('|')})`,
  'giu',
);
/** Words and marks after which a preamble is over: "no idea but where …", "… 😅 when …". */
const AFTER_PREAMBLE = String.raw`(?=[\p{L}¿])(?<=[:;!.…\p{So}]\s*|(?<![\p{L}])(?:${PREAMBLE_ENDS.join('|')}),?\s+)`;
export const AFTER_PREAMBLE_INSIDE = new RegExp(
  String.raw`${AFTER_PREAMBLE}(?:(?:(?:from|for|at|an|ab|bis|seit|in|für|mit|à|de|sous|en|a|por|à partir de|a partir de) )?(?:what|which|who|whose|where|when|why|how|was|wann|wo|wer|wie|warum|welche[rmns]?|où|quand|qui|que|qu['’]est|quoi|combien|comment|quel(?:le)?s?|c['’]est quoi|qu[eé]|cu[aá]l(?:es)?|cu[aá]nt[oa]s?|c[oó]mo|cu[aá]ndo|d[oó]nde|qui[eé]n(?:es)?)(?![\p{L}])|¿)`,
  'giu',
);
/** Where the last part of a preamble ends, if no question word follows: "I am in a hurry: can I …" */
export const PREAMBLE_COLON = /[:…]\s+(?=\S)/gu;
/** What each of several dependent clauses of a request begins with. */
export const CLAUSE_START =
  /(?=\p{L})(?<=^|[,;]\s*|(?<!\p{L})(?:and|und|et|y|e|и)\s+)(?:what|which|who|whose|where|when|why|how|was|wann|wo|wer|wie|warum|welche[rmns]?|où|quand|qui|combien|comment|quel(?:le)?s?|qué|cuál(?:es)?|cuánt[oa]s?|cómo|cuándo|dónde|quién(?:es)?|где|когда|кто|как|сколько)(?![\p{L}])/giu;
/** Before a second question of a sentence. */
export const CONJUNCTION =
  /(?:^|[\s,;])(?:and|or|und|oder|sowie|et|ou|y|e|o|и|و)(?:\s+(?:also|then|auch|außerdem|aussi|puis|también|además|anche|também))?\s*$/iu;
export const COMMA = /[,;]\s*$/u;
export const COORDINATION =
  /(?<![\s,;])[\s,;]+(?:(?:and|or|und|oder|sowie|et|ou|y|e|o|и|و)(?:\s+(?:also|then|auch|außerdem|aussi|puis|también|además|anche|também))?\s*)?$/iu;
export const ABBREVIATION =
  /(?:^|[\s(])(?:(?-i:\p{Lu})\p{L}{0,2}|\d{1,3}|bzw|ca|usw|vs|e\.g|i\.e|z\. ?b|d\. ?h|p\. ?ej|approx|art|abs|prof)\.$/iu;
export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
export const ASKS_CJK =
  /什么|什麼|多少|多久|多长|多大|多高|几[个天次年月点]|哪|谁|誰(?!も)|怎|如何|是否|为何|吗|嗎|呢[?？]?$|能否|何[がをでにはのか時日年月回度人歳処]|なに|なん|いつ(?!も)|どこ(?!も)|だれ(?!も)|どう(?!も)|どの|どれ|いくら|いくつ|なぜ|(?:です|ます|でしょう|ません|でした|ました|の)か(?:[?？。]|$)|무엇|뭐|언제|어디|누구|누가|왜|얼마|몇|어떻게|어떤|(?:입니까|습니까|인가요|나요|까요|가요|을까|되나)/u;
export const BACKGROUND_CJK =
  /我|咱们|大家|(?:ですが|ますが|ましたが|でしたが|ですけど|ますけど|ましたけど|だけど|けれども?|んで|ので)$|저는|제가|우리|저희|는데$|지만$/u;
export const CONDITION_CJK =
  /^(?:如果|假如|若|要是|除非|万一|当|もし|仮に|만약|만일)|(?:场合|場合|とき|時)$/u;
export const CLAUSE_CJK =
  /[，,、；;：:]|\p{So}\s*|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}～〜w])\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;
/** Ends of a question that need no mark. */
export const MARK_CJK = /(?:か|吗|嗎|呢|까|나요|가요)[。.!！]?\s*$/u;
export const PARTICLES = /(?<![啊呀哦嘛啦])[啊呀哦嘛啦]+$/u;
export const REQUEST_CJK = pattern(REQUESTS_CJK, '', '');
