import { boundMarks } from '../analysis/word-folder.js';
import { functionWords, LANGUAGES } from '../question/function-words.js';
import { analyze } from '../analysis/analyzer.js';
import { type DocumentNames, searchableNames } from '../names/searchable-names.js';

const WORD_START = String.raw`(?<![\p{L}\p{N}])`;
const WORD_END = String.raw`(?![\p{L}\p{N}])`;
const ENGLISH_MAIN = 'key|main|major|central|essential|core|principal|(?:most )?important|biggest';

const ENGLISH_POINTS =
  'points?|take-?aways?|ideas?|messages?|facts?|findings?|insights?|arguments?|conclusions?|topics?|themes?|contents?|aspects?|results?|highlights?|information|learnings';

const GERMAN_POINTS =
  'punkte?n?|aussagen?|inhalte?n?|ergebnissen?|ergebnisse|erkenntnissen?|erkenntnisse|informationen|fakten|themen|aspekten?|aspekte|botschaften|gedanken|ideen';

/** Phrases that ask for a summary, in lower case. The words alone have other meanings. */
// At most MAX_QUERY_LENGTH characters: each "sum" reads the 200 characters after it.
const SUMMARY_PHRASES = [
  // English. "Sum" needs its "up", which may be far away.
  String.raw`sum(?:s|med|ming)?(?=[^.?!\n]{0,200}[^\p{L}]up${WORD_END})`,
  String.raw`tl[\W_]{0,2}d[\W_]{0,2}r|too long,? did(?:n['’]t| not) read`,
  String.raw`(?:(?:${ENGLISH_MAIN})(?:,? (?:and )?(?:${ENGLISH_MAIN}))? )(?:${ENGLISH_POINTS})`,
  String.raw`(?:key|main)points|highlights|take-?aways|bullet points?|(?:in )?a nutshell|short version|long story short|bottom line`,
  String.raw`condense|condensed|digest|synopsis|abridge|abridged|boil(?: it)? down|brief(?:ing)? (?:me )?on|the essence|essence of|run-?down|run-?through|(?:walk|run|talk|take) (?:me|us) through|high-level view|in a few words|in short`,
  String.raw`what (?:does|do|did)(?=[^.?!\n]{1,80} say\??\s*$)|what(?:['’]s| is| are| was) (?:written )?in(?:side)?`,
  // German
  String.raw`(?:kern|haupt|schlüssel|eck)(?:${GERMAN_POINTS}|daten)|(?:die |das )?(?:wichtigsten?|wesentlichen?|zentralen?) (?:${GERMAN_POINTS})|das (?:wichtigste|wesentliche)`,
  String.raw`quintessenz|kurzfassung|kurzversion|kurzform|stichpunkten?|stichpunkte|resümee|resümiere|abriss|rekapituliere|auf den punkt|kurz gesagt|was steht`,
  // French
  String.raw`(?:points?|idées?|éléments?|messages?|informations?) (?:clés?|clefs?|essentiel(?:le)?s?|principa(?:ux|les)|importante?s?|majeure?s?)|(?:principa(?:ux|les)) (?:points|idées|éléments|messages|informations)`,
  String.raw`synthèse|synthétise[rz]?|grandes lignes|l['’]essentiel|en bref|en gros|récapitule[rz]?|récapitulatif|points à retenir|que (?:dit|contient)|qu['’]y a-t-il dans`,
  // Spanish
  String.raw`(?:puntos?|ideas?|mensajes?|aspectos?|datos|elementos|conclusiones) (?:claves?|principales|esenciales|centrales|(?:más )?importantes)|(?:principales) (?:puntos|ideas|mensajes|aspectos|datos|conclusiones)`,
  String.raw`síntesis|sintetiza[r]?|sintetice|lo (?:esencial|más importante)|en pocas palabras|en resumidas cuentas|recapitula[r]?|res[uú]me(?:lo|la|melo|mela)|qué (?:dice|contiene|pone en|hay en)`,
].map((phrase) => new RegExp(`${WORD_START}(?:${phrase})${WORD_END}`, 'gu'));

const LENGTH_NUMBER = String.raw`(?:\d{1,4}|one|two|three|four|five|six|seven|eight|ten|a|a few|some|several|einem|einen|zwei|drei|vier|fünf|sechs|zehn|wenigen|ein paar|une?|deux|trois|quatre|cinq|six|dix|quelques|una?|dos|tres|cuatro|cinco|seis|diez|pocas|unas pocas|unos pocos)`;

const LENGTH_UNIT =
  'sentences?|words?|bullets?|bullet points?|points?|lines?|paragraphs?|satz|sätzen|worten|wörtern|stichpunkten|stichworten|punkten|zeilen|absatz|absätzen|phrases?|mots?|lignes?|paragraphes?|frases?|oraciones|oración|palabras|puntos?|líneas?|párrafos?';

/** How long a summary should be: "in three sentences". */
const SUMMARY_LENGTH = new RegExp(
  String.raw`${WORD_START}(?:in|en|with|mit|using) (?:(?:no more than|at most|less than|under|about|around|just|only|max\.?|maximal|höchstens|etwa|nur|environ|como máximo|máximo) )?${LENGTH_NUMBER} (?:(?:short|brief|simple|kurzen|einfachen|courtes) )?(?:${LENGTH_UNIT})${WORD_END}`,
  'gu',
);

const CJK_SUMMARY_LENGTH =
  /用?[\d一二两三四五六七八九十百]{1,4}(?:个)?(?:句话|句話|字|点|條|条|段)(?:话)?(?:以内|左右)?|[\d一二三四五六七八九十百]{1,4}(?:つの文|文字?|行|点|項目)(?:以内)?(?:で|に)/gu;

/** Words for any document and its content. They do not name a subject. */
const GENERAL_WORDS = `document documents file files text texts page pages topic topics subject content contents
  dokument dokuments dokumente datei dateien texte textes seite seiten thema themen inhalt inhalts
  fichier sujet sujets thème contenu documento documentos archivo archivos texto textos tema temas contenido
  documenti testo testi pagina argomento contenuto arquivo arquivos ficheiro página assunto conteúdo
  документ документа документу документе документы файл файла файле текст текста тексте содержание содержания тема
  مستند المستند مستندات المستندات ملف الملف نص النص وثيقة الوثيقة موضوع الموضوع محتوى المحتوى`;

/** Words for all documents together. */
const COLLECTION_WORDS = `documents files libraries dokumente dokumenten dateien unterlagen bibliotheken fichiers bibliothèques
  documentos archivos bibliotecas documenti biblioteche arquivos ficheiros документы документов документах файлы
  файлов файлах المستندات الملفات`;

/** Words for a kind of document. The name of a document may contain them. */
const KIND_WORDS = `report reports contract contracts bericht berichte berichts vertrag vertrags verträge vertraege rapport
  rapports contrat contrats informe informes contrato contratos rapporto rapporti contratto contratti relatório relatórios
  отчет отчёт отчета отчёта договор договора договоре تقرير التقرير عقد العقد`;

/** Words that ask for a summary. */
const SUMMARY_WORDS = `summary summaries summarize summarise summarized summarised outline overview gist tldr recap about
  zusammenfassung zusammenfassen überblick übersicht fasse fass fassen zusammen worum handelt handeln
  résumé résume résumer résumez aperçu parle parlent traite agit
  resumen resume resumir resúmeme resumido trata tratan habla hablan
  riassunto riassumi riassumere riassumimi sintesi tratta parla resumo resuma fala
  резюме обзор говорится идет идёт речь кратко перескажи суммируй ملخص ملخصا ملخصًا لخص يتحدث تتحدث يتناول`;

/** Words for "what". Without a document word they ask about the whole document, unless "you" is addressed. */
const WHAT_WORDS = `what whats about was quoi que quel quelle qué cuál che cosa quale o что чем чём чему ماذا ما`;
const YOU_WORDS = `you your du dich dir ihr sie ihnen tu te toi vous tú ti usted ustedes voi você vocês ты вы вас вам أنت`;

/** Words that ask how many, or which ones. */
const QUANTITY_WORDS = `which many much wieviel viel viele combien cuántos cuántas quanti quante quantos quantas сколько كم`;

/** Words that ask for a single fact. With one of them, the document is the source, not the subject. */
const FACT_WORDS = `who whom whose when where why wer wem wen wessen wann wo woher wohin warum wieso
  weshalb quand où pourquoi quién quiénes cuándo dónde cuánto cuánta chi
  quando dove perché quanto quanta quem onde кто кого кому когда где куда откуда почему
  зачем من متى أين لماذا`;

/** Words that ask for all documents, besides those for "what" and {@link QUANTITY_WORDS}. */
const LISTING_WORDS = `list show all welche welches worüber wovon liste zeig zeige zeigen alle quels quelles montre montrez tous toutes cuáles lista
  muestra muéstrame todos todas quali tutti elenca mostra quais какие`;

/** Verbs for what documents have. With all documents, they name no subject. */
const HAVING_WORDS = `contain cover covered enthalten abdecken contiennent couvrent contienen cubren contengono contêm содержат`;

/** Words about a duty or a permission: "Which documents must I have?" asks for a fact of the documents. */
const DUTY_WORDS = `must should shall may ought allowed muss müssen musst müsst soll sollen sollte sollten darf dürfen darfst dürft
  dois doit devons devez doivent faut debo debe debemos deben devo deve dobbiamo devono devem нужно должен должны`;
/** Words about what is possible, which also begin a request to "you": "Can you list all documents?" */
const CAN_WORDS = `can could kann kannst können könnte könnten puis peux peut pouvons puedo puede podemos posso può possiamo pode podemos
  могу можно можем`;
/** What people who talk to a service ask about the service: "What can I ask?" */
const TELLING_WORDS = `ask tell know answer questions information fragen sagen weiß weißt wissen beantworten informationen alles demander dire sais savez informations répondre
  preguntar preguntarte decir decirme sabes sabe responder información chiedere chiederti dirmi sai sa informazioni perguntar dizer sabe
  informações`;

/** Before a word for documents they speak of any: "What is a file?", "What are files for?", "if I have no documents". */
const ANY_WORDS = `a an any no is are was were ein eine einen einem einer kein keine ist sind un une aucun est sont una unos unas ningún
  es uno nessun è sono um uma são`;

/** Filler words of such questions, in addition to the function words. */
const FILLER_WORDS = `hi hello hey hallo bonjour hola tous toutes todos todas tutti please pls thanks can could really quickly simple terms plain english up bullet form style up bitte danke mal einmal
  einfachen worten einfach stp svp plaît por favor gracias geht s re qu c d j l m n t est brief briefly short shortly main whole entire quick say says tell me us give
  show mostly kurz ganze ganzen gesamte gesamten steht sag sage gib geben mach mache uns fais faire donne donnez moi
  bref brièvement entier dame dime haz hazme breve brevemente fammi dammi fare faça dê me дай сделай расскажи весь
  cosa lo del na um uma résumé هذا هذه قدم أعط أعطني`;

const CJK_DOCUMENT =
  /文件|文档|文檔|文章|文本|文書|资料|資料|材料|报告書?|報告書?|合同|合约|合約|契约|契約書?|书类|書類|页面|頁面|网页|網頁|内容|內容|总结|總結|概括|概述|概要|要約|要旨|摘要|归纳|歸納|简介|介绍|介紹|主题|主題|主旨|大意|重点|重點|要点|要點|ポイント|サマリー?|ダイジェスト|概略|骨子|あらまし|梗概|简述|簡述|提要|纲要|綱要|核心|讲|講|关于|關於|ドキュメント|ファイル|テキスト|レポート|ページ|テーマ|まとめ|문서|파일|글|보고서|계약서?|페이지|텍스트|자료|내용|요약|개요|주제/gu;
const CJK_KIND = /报告|報告|合同|合约|合約|契约|契約|レポート|보고서|계약/gu;
const CJK_SUMMARY =
  /总结|總結|概括|概述|概要|要約|要旨|摘要|归纳|歸納|まとめ|要点|要點|重点|重點|ポイント|サマリー?|ダイジェスト|概略|骨子|あらまし|梗概|简述|簡述|提要|纲要|綱要|主旨|大意|主要内容|何が書|写了什么|讲了什么|说了什么|講了什麼|写了些什么|요약|개요|요점|핵심/u;
const CJK_WHAT = /什么|什麼|甚麼|啥|何|무엇|무슨|뭐|뭘/gu;
const CJK_FACT =
  /谁|誰|哪|何时|何時|何地|何人|何ページ|为什么|為什麼|为何|為何|多少|多久|几|幾|いつ|どこ|だれ|なぜ|どう|いくら|누구|언제|어디|왜|얼마|몇/u;
/** Particles, pronouns and polite forms. All hiragana: Japanese writes its function words in it. */
const CJK_FILLER =
  /主要|大概|大致|简单|簡単|簡單|简要|一下|说明|説明|說明|教え|書かれ|整个|整個|全部|全体|[这這那该該此本份篇个個一下请請帮幫我们們给給你您能可以是的了吗嗎呢吧在有对對把里裡中些整全它都说說谈談做写寫要想知道和与與\p{Script=Hiragana}]|어떤|관한|관해|대한|대해|알려|설명|전체|간단히|입니까|입니다|인가요|이에요|예요|나요|있|주세요|줘|하세요|해|하|이|그|저|것|거|은|는|을|를|의|에|가|좀|야|지|로/gu;

const splitWords = (list: string): string[] => list.split(/\s+/).filter(Boolean);
const generalWords = new Set(splitWords(GENERAL_WORDS));
const kindWords = new Set(splitWords(KIND_WORDS));
const summaryWords = new Set(splitWords(SUMMARY_WORDS));
const collectionWords = new Set(splitWords(COLLECTION_WORDS));
const documentWords = new Set(
  [GENERAL_WORDS, COLLECTION_WORDS, KIND_WORDS, SUMMARY_WORDS].flatMap(splitWords),
);
const whatWords = new Set(splitWords(WHAT_WORDS));
const youWords = new Set(splitWords(YOU_WORDS));
const factWords = new Set(splitWords(FACT_WORDS));
const quantityWords = new Set(splitWords(QUANTITY_WORDS));
const dutyWords = new Set(splitWords(DUTY_WORDS));
const canWords = new Set(splitWords(CAN_WORDS));
const tellingWords = new Set(splitWords(TELLING_WORDS));
const anyWords = new Set(splitWords(ANY_WORDS));
const havingWords = new Set(splitWords(HAVING_WORDS));
const listingWords = new Set([QUANTITY_WORDS, WHAT_WORDS, LISTING_WORDS].flatMap(splitWords));
const fillerWords = new Set([
  ...LANGUAGES.flatMap((language) => [...functionWords(language)]),
  ...[WHAT_WORDS, YOU_WORDS, FACT_WORDS, QUANTITY_WORDS, FILLER_WORDS].flatMap(splitWords),
]);

/** A question about a document as a whole, and the words by which it may name the document. */
export interface WholeDocumentQuestion {
  /** Kinds of documents, such as "report": the document that is meant has them in its name, if any document has. */
  readonly kinds: readonly string[];
  /** Other words. Only if documents have them in their names is the question about whole documents. */
  readonly names: readonly string[];
}

/**
 * Returns null if a question is not about a document as a whole. A question about a whole document is one that no passage
 * matches better than another: "What is it about?", "Summarize this document". It asks for no single fact (who, when, how
 * many). It names a document or a summary, or asks "what" without addressing "you". Greetings and "Who are you?" are not
 * such questions. Other words are allowed only in a question for a summary, where they may name the document.
 *
 * Uses the word lists of all languages together: such questions are too short to detect their language.
 */
export function wholeDocumentQuestion(question: string): WholeDocumentQuestion | null {
  const normal = withoutSummaryPhrases(boundMarks(question).normalize('NFKC').toLowerCase());
  if (CJK_FACT.test(normal)) return null;
  const rest = normal.replace(CJK_DOCUMENT, ' ').replace(CJK_WHAT, ' ').replace(CJK_FILLER, ' ');
  const words: string[] = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.some((word) => factWords.has(word) || quantityWords.has(word))) return null;
  const names = words.filter((word) => !documentWords.has(word) && !fillerWords.has(word));
  const isSummary = CJK_SUMMARY.test(normal) || words.some((word) => summaryWords.has(word));
  const isDuty = words.some((word) => dutyWords.has(word));
  if (!isSummary && (isDuty || isOfAny(words))) return null;
  const kinds = [...words.filter((word) => kindWords.has(word)), ...(normal.match(CJK_KIND) ?? [])];
  if (names.length > 0) return isSummary ? { kinds, names } : null;
  const namesDocument = normal.search(CJK_DOCUMENT) >= 0 || words.some((word) => documentWords.has(word));
  const asksWhat =
    (normal.search(CJK_WHAT) >= 0 || words.some((word) => whatWords.has(word))) &&
    !words.some((word) => youWords.has(word));
  return namesDocument || asksWhat ? { kinds, names } : null;
}

/**
 * Whether a question is about everything: about a whole document, of which it says nothing, or about all documents, as
 * "Which documents are there?" and "How many files do you have?" are, or about what can be asked. Inside of a conversation,
 * only the latter two: "What is it about?" is about what was said before. What must, may or can be done is a fact: an overview
 * instead of its answer would be worse than an answer without an overview.
 */
export function isAboutEverything(question: string, isFirst: boolean): boolean {
  const words: string[] =
    boundMarks(question)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const has = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));
  const areAll = (...lists: ReadonlySet<string>[]): boolean =>
    words.every((word) => fillerWords.has(word) || lists.some((list) => list.has(word)));
  if (has(dutyWords) || has(factWords)) return false;
  const asksWhatToAsk = has(listingWords) && has(tellingWords) && (has(youWords) || has(canWords));
  if (asksWhatToAsk && areAll(generalWords, collectionWords, listingWords, tellingWords)) return true;
  if (has(canWords) && !has(youWords)) return false;
  if (isOfAny(words) && !has(summaryWords)) return false;
  const namesAll = has(collectionWords);
  const whole = wholeDocumentQuestion(question);
  if (whole !== null) return whole.names.length + whole.kinds.length === 0 && (isFirst || namesAll);
  const asksHow = words.includes('how') && !has(quantityWords);
  return (
    namesAll &&
    !asksHow &&
    has(listingWords) &&
    areAll(collectionWords, generalWords, listingWords, havingWords)
  );
}

/** Whether a question is about any document, not about those that are there. */
function isOfAny(words: readonly string[]): boolean {
  return words.some((word, index) => documentWords.has(word) && anyWords.has(words[index - 1] ?? ''));
}

/** A question with one word, `summary`, for each phrase that asks for a summary. */
function withoutSummaryPhrases(question: string): string {
  return [SUMMARY_LENGTH, CJK_SUMMARY_LENGTH, ...SUMMARY_PHRASES].reduce(
    (text, phrase) => text.replace(phrase, ' summary '),
    question,
  );
}

/** Names of kinds of documents that mean the same in other languages: "Summarize the handbook" means `Handbuch.pdf`. */
const SAME_KINDS = [
  'handbook manual handbuch manuel 手册 手冊 マニュアル',
  'minutes protokoll compte-rendu procès-verbal acta 纪要 紀要 議事録',
  'invoice rechnung facture factura 发票 發票 請求書',
  'guide leitfaden guía 指南 ガイド',
  'offer angebot devis oferta presupuesto 报价 報價 見積書',
  'statutes bylaws satzung statuts estatutos 章程 定款',
].map((row) => row.split(' '));

/** A shorter word is not looked for inside of other words, except a Chinese, Japanese or Korean one. */
const MIN_PART = 5;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns the documents that a question about whole documents means, by their names: those that have its words, or parts of
 * them where it names several. All, if the question has no word that any document has in its name. Null if the question has
 * words that no document has: then it is about something else.
 */
export function documentsMeant<D extends DocumentNames>(
  { kinds, names }: WholeDocumentQuestion,
  documents: readonly D[],
): D[] | null {
  const named = documents.map((document) => ({ document, ...matcherOf(document) }));
  if (names.length > 0) {
    const found = named.map(({ document, has }) => ({ document, has, words: new Set(names.filter(has)) }));
    if (!names.every((name) => found.some(({ words }) => words.has(name)))) return null;
    const meant = found.filter(
      ({ words }) =>
        words.size > 0 &&
        !found.some(
          (other) => other.words.size > words.size && [...words].every((word) => other.words.has(word)),
        ),
    );
    return ofKinds(kinds, meant);
  }
  return ofKinds(kinds, named);
}

/** Those that have the most of the kinds in their names; all if none has any. */
function ofKinds<D>(
  kinds: readonly string[],
  candidates: readonly { document: D; has: (word: string) => boolean }[],
): D[] {
  const counted = candidates.map(({ document, has }) => ({ document, count: kinds.filter(has).length }));
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ document }) => document);
}

/** Compares words with the names of a document: their stems, their parts in compounds, and the extension of a file. */
function matcherOf(document: DocumentNames): { has: (word: string) => boolean } {
  const text = `${searchableNames(document)} ${document.name}`;
  const folded = text.normalize('NFKC').toLowerCase();
  const terms = new Set(analyze(text));
  const hasWord = (word: string): boolean => {
    const own = analyze(word);
    if (own.length > 0 && own.every((term) => terms.has(term))) return true;
    return (word.length >= MIN_PART || CJK.test(word)) && folded.includes(word);
  };
  return { has: (word) => hasWord(word) || (sameKinds(word)?.some(hasWord) ?? false) };
}

function sameKinds(word: string): readonly string[] | undefined {
  return SAME_KINDS.find((kinds) => kinds.some((kind) => word === kind || word === `${kind}s`));
}
