import { boundMarks } from '../analysis/bounded-marks.js';
import { functionWords, LANGUAGES } from '../question/function-words.js';

/** Words for a document, its content and a summary. They do not name a subject. */
const DOCUMENT_WORDS = `document documents file files text texts report contract page pages summary summaries summarize
  summarise summarized outline overview topic topics subject gist content contents tldr recap
  dokument dokuments dokumente datei dateien texte textes bericht vertrag vertrags vertrages seite seiten
  zusammenfassung zusammenfassen überblick übersicht thema themen inhalt inhalts fasse fass fassen zusammen worum
  handelt
  fichier texte rapport contrat résumé résume résumer résumez aperçu sujet sujets thème contenu parle parlent traite agit
  documento documentos archivo archivos texto textos informe contrato resumen resume resumir resúmeme resumido tema temas
  contenido trata tratan habla hablan
  documenti testo testi rapporto contratto pagina riassunto riassumi riassumere riassumimi sintesi argomento contenuto
  tratta parla
  arquivo arquivos ficheiro relatório página resumo resuma assunto conteúdo fala
  документ документа документу документе документы файл файла файле текст текста тексте отчет отчёт договор договора договоре
  содержание содержания резюме обзор тема говорится идет идёт речь кратко перескажи суммируй
  مستند المستند مستندات المستندات ملف الملف نص النص تقرير التقرير عقد العقد وثيقة الوثيقة ملخص ملخصا ملخصًا لخص موضوع الموضوع
  محتوى المحتوى يتحدث تتحدث يتناول`;

/** Words for "what". Without a document word they ask about the whole document, unless "you" is addressed. */
const WHAT_WORDS = `what whats about was quoi que quel quelle qué cuál che cosa quale o что чем чём чему ماذا ما`;
const YOU_WORDS = `you your du dich dir ihr sie ihnen tu te toi vous tú ti usted ustedes voi você vocês ты вы вас вам أنت`;

/** Words that ask for a single fact. With one of them, the document is the source, not the subject. */
const FACT_WORDS = `who whom whose when where why which many much wer wem wen wessen wann wo woher wohin warum wieso
  weshalb wieviel viel viele quand où pourquoi combien quién quiénes cuándo dónde cuánto cuánta cuántos cuántas chi
  quando dove perché quanto quanta quanti quante quem onde quantos quantas кто кого кому когда где куда откуда почему
  зачем сколько من متى أين كم لماذا`;

/** Filler words of such questions, in addition to the function words. */
const FILLER_WORDS = `geht s re qu c d j l m n t est brief briefly short shortly main whole entire quick say says tell me us give
  show mostly kurz ganze ganzen gesamte gesamten steht sag sage gib geben mach mache uns fais faire donne donnez moi
  bref brièvement entier dame dime haz hazme breve brevemente fammi dammi fare faça dê me дай сделай расскажи весь
  cosa lo del na um uma résumé هذا هذه قدم أعط أعطني`;

const CJK_DOCUMENT =
  /文件|文档|文檔|文章|文本|文書|资料|資料|材料|报告書?|報告書?|合同|合约|合約|契约|契約書?|书类|書類|页面|頁面|网页|網頁|内容|內容|总结|總結|概括|概述|概要|要約|要旨|摘要|归纳|歸納|简介|介绍|介紹|主题|主題|主旨|大意|重点|重點|讲|講|关于|關於|ドキュメント|ファイル|テキスト|レポート|ページ|テーマ|まとめ|문서|파일|글|보고서|계약서?|페이지|텍스트|자료|내용|요약|개요|주제/gu;
const CJK_WHAT = /什么|什麼|甚麼|啥|何|무엇|무슨|뭐|뭘/gu;
const CJK_FACT =
  /谁|誰|哪|何时|何時|何地|何人|何ページ|为什么|為什麼|为何|為何|多少|多久|几|幾|いつ|どこ|だれ|なぜ|どう|いくら|누구|언제|어디|왜|얼마|몇/u;
/** Particles, pronouns and polite forms. All hiragana: Japanese writes its function words in it. */
const CJK_FILLER =
  /主要|大概|大致|简单|簡単|簡單|简要|一下|说明|説明|說明|教え|書かれ|整个|整個|全部|全体|[这這那该該此本份篇个個一下请請帮幫我们們给給你您能可以是的了吗嗎呢吧在有对對把里裡中些整全它都说說谈談做写寫要想知道和与與\p{Script=Hiragana}]|어떤|관한|관해|대한|대해|알려|설명|전체|간단히|입니까|입니다|인가요|이에요|예요|나요|있|주세요|줘|하세요|해|하|이|그|저|것|거|은|는|을|를|의|에|가|좀|야|지|로/gu;

const splitWords = (list: string): string[] => list.split(/\s+/).filter(Boolean);
const documentWords = new Set(splitWords(DOCUMENT_WORDS));
const whatWords = new Set(splitWords(WHAT_WORDS));
const youWords = new Set(splitWords(YOU_WORDS));
const factWords = new Set(splitWords(FACT_WORDS));
const fillerWords = new Set([
  ...LANGUAGES.flatMap((language) => [...functionWords(language)]),
  ...[WHAT_WORDS, YOU_WORDS, FACT_WORDS, FILLER_WORDS].flatMap(splitWords),
]);

/**
 * Whether a question is about a document as a whole, so that no passage matches it better than another: "What
 * is it about?", "Summarize this document". Such a question has no content terms and asks for no single fact
 * (who, when, how many). It names a document or a summary, or asks "what" without addressing "you". Greetings
 * and "Who are you?" are not such questions.
 *
 * Uses the word lists of all languages together: such questions are too short to detect their language.
 */
export function asksAboutWholeDocument(question: string): boolean {
  const normal = boundMarks(question).normalize('NFKC').toLowerCase();
  if (CJK_FACT.test(normal)) return false;
  const rest = normal.replace(CJK_DOCUMENT, ' ').replace(CJK_WHAT, ' ').replace(CJK_FILLER, ' ');
  const words = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (!words.every((word) => documentWords.has(word) || fillerWords.has(word))) return false;
  if (words.some((word) => factWords.has(word))) return false;
  if (normal.search(CJK_DOCUMENT) >= 0 || words.some((word) => documentWords.has(word))) return true;
  return (
    (normal.search(CJK_WHAT) >= 0 || words.some((word) => whatWords.has(word))) &&
    !words.some((word) => youWords.has(word))
  );
}
