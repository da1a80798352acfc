import type { Language } from '../question/function-words.js';
import { detectLanguage } from '../question/detect-language.js';

const NOTHING_FOUND: Readonly<Record<Language, string>> = {
  en: 'I found nothing about this in the documents.',
  de: 'Dazu habe ich in den Dokumenten nichts gefunden.',
  fr: 'Je n’ai rien trouvé à ce sujet dans les documents.',
  es: 'No he encontrado nada sobre esto en los documentos.',
  it: 'Non ho trovato nulla al riguardo nei documenti.',
  pt: 'Não encontrei nada sobre isso nos documentos.',
  ru: 'В документах об этом ничего не найдено.',
  zh: '在文档中没有找到与此相关的内容。',
  ja: '文書の中に、これに関する記述は見つかりませんでした。',
  ko: '문서에서 이와 관련된 내용을 찾지 못했습니다.',
  ar: 'لم أجد شيئًا عن هذا في المستندات.',
};

const NO_MODEL: Readonly<Record<Language, string>> = {
  en: 'No language model is configured, so these are the passages that match the question best, word for word.',
  de: 'Es ist kein Sprachmodell eingerichtet; dies sind die passendsten Stellen im Wortlaut.',
  fr: 'Aucun modèle de langage n’est configuré ; voici, mot pour mot, les passages les plus proches de la question.',
  es: 'No hay ningún modelo de lenguaje configurado; estos son, textualmente, los pasajes más cercanos a la pregunta.',
  it: 'Nessun modello linguistico è configurato; questi sono, alla lettera, i passaggi più vicini alla domanda.',
  pt: 'Nenhum modelo de linguagem está configurado; estes são, na íntegra, os trechos mais próximos da pergunta.',
  ru: 'Языковая модель не настроена, поэтому здесь дословно приведены наиболее подходящие отрывки.',
  zh: '未配置语言模型，以下是与问题最相关的原文段落。',
  ja: '言語モデルが設定されていないため、質問に最も近い箇所を原文のまま示します。',
  ko: '언어 모델이 설정되어 있지 않아, 질문과 가장 가까운 원문 구절을 그대로 보여 드립니다.',
  ar: 'لم يتم إعداد نموذج لغوي، لذا هذه هي المقاطع الأقرب إلى السؤال بنصها.',
};

const FOR_VISITORS: Readonly<Record<Language, string>> = {
  en: 'These passages match the question best:',
  de: 'Diese Stellen passen am besten zu der Frage:',
  fr: 'Voici les passages les plus proches de la question :',
  es: 'Estos son los pasajes más cercanos a la pregunta:',
  it: 'Questi sono i passaggi più vicini alla domanda:',
  pt: 'Estes são os trechos mais próximos da pergunta:',
  ru: 'Эти отрывки лучше всего подходят к вопросу:',
  zh: '以下是与问题最相关的原文段落：',
  ja: '質問に最も近い箇所は次のとおりです：',
  ko: '질문과 가장 가까운 원문 구절은 다음과 같습니다:',
  ar: 'هذه هي المقاطع الأقرب إلى السؤال:',
};

/** A sentence in the language of the question: nothing relevant was found in the documents. */
export function abstention(question: string): string {
  return NOTHING_FOUND[detectLanguage(question)];
}

/** A sentence in the language of the question: no model is configured, so passages are quoted instead. */
export function noModelMessage(question: string): string {
  return NO_MODEL[detectLanguage(question)];
}

/** A sentence in the language of the question: passages follow. It does not mention models. */
export function passagesMessage(question: string): string {
  return FOR_VISITORS[detectLanguage(question)];
}
