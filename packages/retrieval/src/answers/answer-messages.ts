import type { Language } from '../question/function-words.js';
import type { Correction } from '../question/spelling.js';
import { isSmallTalk } from '../question/asked-questions.js';
import { detectLanguage } from '../question/detect-language.js';

const NOTHING_FOUND: Readonly<Record<Language, string>> = {
  en: 'I found nothing about this in the documents. Try other words.',
  de: 'Dazu habe ich in den Dokumenten nichts gefunden. Versuchen Sie es mit anderen Wörtern.',
  fr: 'Je n’ai rien trouvé à ce sujet dans les documents. Essayez d’autres mots.',
  es: 'No he encontrado nada sobre esto en los documentos. Pruebe con otras palabras.',
  it: 'Non ho trovato nulla al riguardo nei documenti. Prova con altre parole.',
  pt: 'Não encontrei nada sobre isso nos documentos. Tente com outras palavras.',
  ru: 'В документах об этом ничего не найдено. Попробуйте другие слова.',
  zh: '在文档中没有找到与此相关的内容。请换一种说法。',
  ja: '文書の中に、これに関する記述は見つかりませんでした。別の言葉で試してください。',
  ko: '문서에서 이와 관련된 내용을 찾지 못했습니다. 다른 말로 시도해 보세요.',
  ar: 'لم أجد شيئًا عن هذا في المستندات. جرّب كلمات أخرى.',
};

const NOTHING_ASKED: Readonly<Record<Language, string>> = {
  en: 'Ask a question about the documents, and I look for the answer.',
  de: 'Stellen Sie eine Frage zu den Dokumenten, dann suche ich die Antwort.',
  fr: 'Posez une question sur les documents, et je cherche la réponse.',
  es: 'Haga una pregunta sobre los documentos y buscaré la respuesta.',
  it: 'Fai una domanda sui documenti e cercherò la risposta.',
  pt: 'Faça uma pergunta sobre os documentos e eu procuro a resposta.',
  ru: 'Задайте вопрос о документах, и я поищу ответ.',
  zh: '请就文档提问，我会查找答案。',
  ja: '文書について質問してください。答えを探します。',
  ko: '문서에 대해 질문해 주시면 답을 찾아 드립니다.',
  ar: 'اطرح سؤالاً عن المستندات وسأبحث عن الإجابة.',
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

const MODEL_FAILED: Readonly<Record<Language, string>> = {
  en: 'The language model did not answer, so these are the passages that match the question best, word for word. An administrator can check the model in the settings.',
  de: 'Das Sprachmodell hat nicht geantwortet; dies sind die passendsten Stellen im Wortlaut. Wer Citewell verwaltet, kann das Modell in den Einstellungen prüfen.',
  fr: 'Le modèle de langage n’a pas répondu ; voici, mot pour mot, les passages les plus proches de la question. Un administrateur peut vérifier le modèle dans les paramètres.',
  es: 'El modelo de lenguaje no ha respondido; estos son, textualmente, los pasajes más cercanos a la pregunta. Un administrador puede revisar el modelo en los ajustes.',
  it: 'Il modello linguistico non ha risposto; questi sono, alla lettera, i passaggi più vicini alla domanda. Un amministratore può controllare il modello nelle impostazioni.',
  pt: 'O modelo de linguagem não respondeu; estes são, na íntegra, os trechos mais próximos da pergunta. Um administrador pode verificar o modelo nas configurações.',
  ru: 'Языковая модель не ответила, поэтому здесь дословно приведены наиболее подходящие отрывки. Администратор может проверить модель в настройках.',
  zh: '语言模型没有回答，以下是与问题最相关的原文段落。管理员可以在设置中检查该模型。',
  ja: '言語モデルから回答がなかったため、質問に最も近い箇所を原文のまま示します。管理者は設定でモデルを確認できます。',
  ko: '언어 모델이 응답하지 않아, 질문과 가장 가까운 원문 구절을 그대로 보여 드립니다. 관리자가 설정에서 모델을 확인할 수 있습니다.',
  ar: 'لم يُجب النموذج اللغوي، لذا هذه هي المقاطع الأقرب إلى السؤال بنصها. يمكن لأحد المسؤولين التحقق من النموذج في الإعدادات.',
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

/** The sentences above rows of tables that are counted, which may be followed by quotes. */
const COUNTED: Readonly<
  Record<'noModel' | 'modelFailed' | 'forVisitors', Readonly<Record<Language, string>>>
> = {
  noModel: {
    en: 'No language model is configured, so this is counted in the documents or quoted from them.',
    de: 'Es ist kein Sprachmodell eingerichtet; das Folgende ist in den Dokumenten gezählt oder aus ihnen zitiert.',
    fr: 'Aucun modèle de langage n’est configuré ; ce qui suit est compté dans les documents ou cité de ceux-ci.',
    es: 'No hay ningún modelo de lenguaje configurado; lo siguiente está contado en los documentos o citado de ellos.',
    it: 'Nessun modello linguistico è configurato; quanto segue è contato nei documenti o citato da essi.',
    pt: 'Nenhum modelo de linguagem está configurado; o que se segue é contado nos documentos ou citado deles.',
    ru: 'Языковая модель не настроена, поэтому здесь приведены подсчёты по документам и цитаты из них.',
    zh: '未配置语言模型，以下内容统计自文档或引自文档。',
    ja: '言語モデルが設定されていないため、文書から集計または引用した内容を示します。',
    ko: '언어 모델이 설정되어 있지 않아, 문서에서 집계하거나 인용한 내용을 보여 드립니다.',
    ar: 'لم يتم إعداد نموذج لغوي، لذا ما يلي محسوب من المستندات أو مقتبس منها.',
  },
  modelFailed: {
    en: 'The language model did not answer, so this is counted in the documents or quoted from them. An administrator can check the model in the settings.',
    de: 'Das Sprachmodell hat nicht geantwortet; das Folgende ist in den Dokumenten gezählt oder aus ihnen zitiert. Wer Citewell verwaltet, kann das Modell in den Einstellungen prüfen.',
    fr: 'Le modèle de langage n’a pas répondu ; ce qui suit est compté dans les documents ou cité de ceux-ci. Un administrateur peut vérifier le modèle dans les paramètres.',
    es: 'El modelo de lenguaje no ha respondido; lo siguiente está contado en los documentos o citado de ellos. Un administrador puede revisar el modelo en los ajustes.',
    it: 'Il modello linguistico non ha risposto; quanto segue è contato nei documenti o citato da essi. Un amministratore può controllare il modello nelle impostazioni.',
    pt: 'O modelo de linguagem não respondeu; o que se segue é contado nos documentos ou citado deles. Um administrador pode verificar o modelo nas configurações.',
    ru: 'Языковая модель не ответила, поэтому здесь приведены подсчёты по документам и цитаты из них. Администратор может проверить модель в настройках.',
    zh: '语言模型没有回答，以下内容统计自文档或引自文档。管理员可以在设置中检查该模型。',
    ja: '言語モデルから回答がなかったため、文書から集計または引用した内容を示します。管理者は設定でモデルを確認できます。',
    ko: '언어 모델이 응답하지 않아, 문서에서 집계하거나 인용한 내용을 보여 드립니다. 관리자가 설정에서 모델을 확인할 수 있습니다.',
    ar: 'لم يُجب النموذج اللغوي، لذا ما يلي محسوب من المستندات أو مقتبس منها. يمكن لأحد المسؤولين التحقق من النموذج في الإعدادات.',
  },
  forVisitors: {
    en: 'The documents have this for the question:',
    de: 'In den Dokumenten steht dazu:',
    fr: 'Voici ce que les documents contiennent à ce sujet :',
    es: 'Esto es lo que hay en los documentos sobre la pregunta:',
    it: 'Ecco cosa contengono i documenti su questa domanda:',
    pt: 'Isto é o que os documentos contêm sobre a pergunta:',
    ru: 'Вот что есть в документах по этому вопросу:',
    zh: '文档中与问题相关的内容如下：',
    ja: '質問について文書にある内容は次のとおりです：',
    ko: '질문에 대해 문서에 있는 내용은 다음과 같습니다:',
    ar: 'هذا ما تحتويه المستندات عن السؤال:',
  },
};

const MORE: Readonly<Record<Language, string>> = {
  en: 'These are not all: more passages match the question as well.',
  de: 'Das sind nicht alle: Weitere Stellen passen ebenso zu der Frage.',
  fr: 'La liste n’est pas complète : d’autres passages répondent aussi à la question.',
  es: 'No son todos: hay más pasajes que responden igualmente a la pregunta.',
  it: 'Non sono tutti: altri passaggi rispondono allo stesso modo alla domanda.',
  pt: 'Não são todos: há outros trechos que respondem igualmente à pergunta.',
  ru: 'Это не всё: есть и другие отрывки, которые так же подходят к вопросу.',
  zh: '以上并非全部：还有其他段落同样符合问题。',
  ja: 'これですべてではありません。同じように質問に合う箇所がほかにもあります。',
  ko: '이것이 전부는 아닙니다. 질문에 똑같이 맞는 구절이 더 있습니다.',
  ar: 'هذه ليست كلها: توجد مقاطع أخرى تطابق السؤال بالقدر نفسه.',
};

const CORRECTED: Readonly<Record<Language, string>> = {
  en: 'No document has “{from}”, so “{to}” was searched instead.',
  de: 'Kein Dokument enthält „{from}“; gesucht wurde stattdessen „{to}“.',
  fr: 'Aucun document ne contient « {from} » ; la recherche a porté sur « {to} ».',
  es: 'Ningún documento contiene «{from}»; se ha buscado «{to}».',
  it: 'Nessun documento contiene «{from}»; è stato cercato «{to}».',
  pt: 'Nenhum documento contém “{from}”; foi pesquisado “{to}”.',
  ru: 'Ни в одном документе нет «{from}»; искали «{to}».',
  zh: '文档中没有“{from}”，因此搜索了“{to}”。',
  ja: '文書に「{from}」がないため、「{to}」を検索しました。',
  ko: '문서에 “{from}”이(가) 없어 “{to}”(으)로 검색했습니다.',
  ar: 'لا يوجد «{from}» في أي مستند، لذلك تم البحث عن «{to}».',
};

type Incomplete = 'length' | 'content_filter' | 'refusal' | 'other';

/** They do not mention models, because visitors read them, too. */
const INCOMPLETE: Readonly<Record<Incomplete, Readonly<Record<Language, string>>>> = {
  length: {
    en: '(The answer is incomplete: it has reached the maximum length.)',
    de: '(Die Antwort ist unvollständig: Sie hat die größte erlaubte Länge erreicht.)',
    fr: '(La réponse est incomplète : elle a atteint la longueur maximale.)',
    es: '(La respuesta está incompleta: alcanzó la longitud máxima.)',
    it: '(La risposta è incompleta: ha raggiunto la lunghezza massima.)',
    pt: '(A resposta está incompleta: atingiu o comprimento máximo.)',
    ru: '(Ответ неполный: достигнута максимальная длина.)',
    zh: '（回答不完整：已达到最大长度。）',
    ja: '（回答は途中で終わっています。最大の長さに達しました。）',
    ko: '(답변이 최대 길이에 도달하여 완전하지 않습니다.)',
    ar: '(الإجابة غير مكتملة: بلغت الحد الأقصى للطول.)',
  },
  content_filter: {
    en: '(The answer was stopped by a content filter. Ask the question in other words.)',
    de: '(Ein Inhaltsfilter hat die Antwort abgebrochen. Stellen Sie die Frage mit anderen Worten.)',
    fr: '(Un filtre de contenu a interrompu la réponse. Posez la question autrement.)',
    es: '(Un filtro de contenido detuvo la respuesta. Haga la pregunta con otras palabras.)',
    it: '(Un filtro dei contenuti ha interrotto la risposta. Poni la domanda con altre parole.)',
    pt: '(Um filtro de conteúdo interrompeu a resposta. Faça a pergunta com outras palavras.)',
    ru: '(Ответ остановлен фильтром содержимого. Задайте вопрос другими словами.)',
    zh: '（回答被内容过滤器中止。请换一种说法提问。）',
    ja: '（回答はコンテンツフィルターによって止められました。別の言葉で質問してください。）',
    ko: '(콘텐츠 필터가 답변을 중단했습니다. 다른 말로 질문해 주세요.)',
    ar: '(أوقف مرشح المحتوى الإجابة. اطرح السؤال بكلمات أخرى.)',
  },
  refusal: {
    en: '(An answer to this question was declined.)',
    de: '(Eine Antwort auf diese Frage wurde abgelehnt.)',
    fr: '(Une réponse à cette question a été refusée.)',
    es: '(Se rechazó responder a esta pregunta.)',
    it: '(La risposta a questa domanda è stata rifiutata.)',
    pt: '(A resposta a esta pergunta foi recusada.)',
    ru: '(В ответе на этот вопрос отказано.)',
    zh: '（该问题被拒绝回答。）',
    ja: '（この質問への回答は拒否されました。）',
    ko: '(이 질문에 대한 답변이 거부되었습니다.)',
    ar: '(رُفضت الإجابة عن هذا السؤال.)',
  },
  other: {
    en: '(The answer is incomplete: it was stopped early. Ask again.)',
    de: '(Die Antwort ist unvollständig: Sie wurde vorzeitig beendet. Fragen Sie noch einmal.)',
    fr: '(La réponse est incomplète : elle s’est arrêtée trop tôt. Posez la question de nouveau.)',
    es: '(La respuesta está incompleta: se detuvo antes de tiempo. Pregunte de nuevo.)',
    it: '(La risposta è incompleta: si è interrotta troppo presto. Chiedi di nuovo.)',
    pt: '(A resposta está incompleta: parou antes do fim. Pergunte novamente.)',
    ru: '(Ответ неполный: он прерван раньше времени. Спросите ещё раз.)',
    zh: '（回答不完整：提前中止。请再次提问。）',
    ja: '（回答は途中で終わっています。もう一度質問してください。）',
    ko: '(답변이 도중에 중단되어 완전하지 않습니다. 다시 질문해 주세요.)',
    ar: '(الإجابة غير مكتملة: توقفت مبكرًا. اسأل مرة أخرى.)',
  },
};

// Each function makes a sentence in a language; without one, in that of the question. `hasTables`: rows of tables are counted
// below, which are no quotes.

/** Nothing relevant was found in the documents, or nothing was asked ("Thanks!"). */
export function abstention(question: string, language = detectLanguage(question)): string {
  return (isSmallTalk(question, true) ? NOTHING_ASKED : NOTHING_FOUND)[language];
}

/** No model is configured, so passages are quoted instead. */
export function noModelMessage(language: Language, hasTables = false): string {
  return (hasTables ? COUNTED.noModel : NO_MODEL)[language];
}

/** The model has failed, so passages are quoted instead. */
export function modelFailedMessage(language: Language, hasTables = false): string {
  return (hasTables ? COUNTED.modelFailed : MODEL_FAILED)[language];
}

/** Passages follow. Does not mention models. */
export function passagesMessage(language: Language, hasTables = false): string {
  return (hasTables ? COUNTED.forVisitors : FOR_VISITORS)[language];
}

/** The answer ended before it was complete. @param reason others are `other` */
export function incompleteMessage(
  question: string,
  reason: string,
  language = detectLanguage(question),
): string {
  const sentences: Readonly<Record<string, Readonly<Record<Language, string>>>> = INCOMPLETE;
  return ((Object.hasOwn(sentences, reason) ? sentences[reason] : undefined) ?? INCOMPLETE.other)[language];
}

/** Stands below quotes that are not all of those that match. */
export function moreMessage(language: Language): string {
  return MORE[language];
}

/** Another word was searched. */
export function correctionMessage({ from, to }: Correction, language: Language): string {
  return CORRECTED[language].replace('{from}', () => from).replace('{to}', () => to);
}
