import { functionWords, LANGUAGES } from './function-words.js';

/** Words for a document, for what it says, and for saying it in short. They name no subject. */
const WHOLE_WORDS = `document documents file files text texts report contract page pages summary summaries summarize
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

/** Words that ask what something is; without a document named they ask about the whole only where nobody is addressed. */
const WHAT_WORDS = `what whats about was quoi que quel quelle qué cuál che cosa quale o что чем чём чему ماذا ما`;
const YOU = `you your du dich dir ihr sie ihnen tu te toi vous tú ti usted ustedes voi você vocês ты вы вас вам أنت`;

/** Words that ask for one thing: where they stand, the document is where to look and not what to tell of. */
const ONE_THING = `who whom whose when where why which many much wer wem wen wessen wann wo woher wohin warum wieso
  weshalb wieviel viel viele quand où pourquoi combien quién quiénes cuándo dónde cuánto cuánta cuántos cuántas chi
  quando dove perché quanto quanta quanti quante quem onde quantos quantas кто кого кому когда где куда откуда почему
  зачем сколько من متى أين كم لماذا`;

/** Words that go with asking, beside the function words. */
const FILLING = `geht s re qu c d j l m n t est brief briefly short shortly main whole entire quick say says tell me us give
  show mostly kurz ganze ganzen gesamte gesamten steht sag sage gib geben mach mache uns fais faire donne donnez moi
  bref brièvement entier dame dime haz hazme breve brevemente fammi dammi fare faça dê me дай сделай расскажи весь
  cosa lo del na um uma résumé هذا هذه قدم أعط أعطني`;

const CJK_WHOLE =
  /文件|文档|文檔|文章|文本|文書|资料|資料|材料|报告書?|報告書?|合同|合约|合約|契约|契約書?|书类|書類|页面|頁面|网页|網頁|内容|內容|总结|總結|概括|概述|概要|要約|要旨|摘要|归纳|歸納|简介|介绍|介紹|主题|主題|主旨|大意|重点|重點|讲|講|关于|關於|ドキュメント|ファイル|テキスト|レポート|ページ|テーマ|まとめ|문서|파일|글|보고서|계약서?|페이지|텍스트|자료|내용|요약|개요|주제/gu;
const CJK_WHAT = /什么|什麼|甚麼|啥|何|무엇|무슨|뭐|뭘/gu;
const CJK_ONE_THING =
  /谁|誰|哪|何时|何時|何地|何人|何ページ|为什么|為什麼|为何|為何|多少|多久|几|幾|いつ|どこ|だれ|なぜ|どう|いくら|누구|언제|어디|왜|얼마|몇/u;
/** Particles, pronouns and politeness; hiragana is the grammar of Japanese. */
const CJK_FILLING =
  /主要|大概|大致|简单|簡単|簡單|简要|一下|说明|説明|說明|教え|書かれ|整个|整個|全部|全体|[这這那该該此本份篇个個一下请請帮幫我们們给給你您能可以是的了吗嗎呢吧在有对對把里裡中些整全它都说說谈談做写寫要想知道和与與\p{Script=Hiragana}]|어떤|관한|관해|대한|대해|알려|설명|전체|간단히|입니까|입니다|인가요|이에요|예요|나요|있|주세요|줘|하세요|해|하|이|그|저|것|거|은|는|을|를|의|에|가|좀|야|지|로/gu;

const words = (list: string): string[] => list.split(/\s+/).filter(Boolean);
const whole = new Set(words(WHOLE_WORDS));
const what = new Set(words(WHAT_WORDS));
const you = new Set(words(YOU));
const oneThing = new Set(words(ONE_THING));
const filling = new Set([
  ...LANGUAGES.flatMap((language) => [...functionWords(language)]),
  ...[WHAT_WORDS, YOU, ONE_THING, FILLING].flatMap(words),
]);

/**
 * Whether a question is about a document as a whole, so that no passage matches it more than another: "What is it
 * about?", "Summarize this document". It has no content terms, names the document or a summary or asks what
 * something is, and asks for no single thing (who, when, how many). A greeting is none, nor is "Who are you?".
 *
 * Judged by word lists of the product's languages, all together: such questions are too short to tell theirs.
 */
export function asksAboutTheWhole(question: string): boolean {
  const normal = question.normalize('NFKC').toLowerCase();
  if (CJK_ONE_THING.test(normal)) return false;
  const rest = normal.replace(CJK_WHOLE, ' ').replace(CJK_WHAT, ' ').replace(CJK_FILLING, ' ');
  const asked = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (!asked.every((word) => whole.has(word) || filling.has(word))) return false;
  if (asked.some((word) => oneThing.has(word))) return false;
  if (normal.search(CJK_WHOLE) >= 0 || asked.some((word) => whole.has(word))) return true;
  return (
    (normal.search(CJK_WHAT) >= 0 || asked.some((word) => what.has(word))) &&
    !asked.some((word) => you.has(word))
  );
}
