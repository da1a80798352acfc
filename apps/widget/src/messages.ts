/** Everything that the widget says. `{…}` is replaced. */
const ENGLISH = {
  openChat: 'Open chat',
  close: 'Close chat',
  title: 'Ask a question',
  greeting: 'Ask a question about our documents.',
  placeholder: 'Your question',
  send: 'Send',
  stop: 'Stop',
  startOver: 'Start over',
  searching: 'Searching the documents',
  source: 'Source {number}: {name}',
  page: 'Page {page}',
  passage: 'Whole passage',
  openDocument: 'Open the document',
  closeSource: 'Close the source',
  stopped: 'Stopped.',
  retry: 'Try again',
  errorNetwork: 'The connection was interrupted. Your question is kept.',
  errorBusy: 'Too many questions at once. Wait a minute, then try again.',
  errorToday: 'No more questions can be answered today. Ask again tomorrow.',
  errorNotAllowed: 'This chat may not be used on this page.',
  errorUnavailable: 'This chat is not available at the moment.',
  errorOther: 'The answer could not be completed. Try again in a moment.',
};

export type Messages = Record<keyof typeof ENGLISH, string>;
export type MessageKey = keyof Messages;

export const MESSAGES = {
  en: ENGLISH,
  de: {
    openChat: 'Chat öffnen',
    close: 'Chat schließen',
    title: 'Stellen Sie eine Frage',
    greeting: 'Stellen Sie eine Frage zu unseren Dokumenten.',
    placeholder: 'Ihre Frage',
    send: 'Senden',
    stop: 'Anhalten',
    startOver: 'Neu beginnen',
    searching: 'Die Dokumente werden durchsucht',
    source: 'Quelle {number}: {name}',
    page: 'Seite {page}',
    passage: 'Ganze Passage',
    openDocument: 'Dokument öffnen',
    closeSource: 'Quelle schließen',
    stopped: 'Angehalten.',
    retry: 'Erneut versuchen',
    errorNetwork: 'Die Verbindung wurde unterbrochen. Ihre Frage bleibt erhalten.',
    errorBusy: 'Das waren viele Fragen auf einmal. Warten Sie eine Minute und versuchen Sie es erneut.',
    errorToday: 'Heute können keine weiteren Fragen beantwortet werden. Fragen Sie morgen wieder.',
    errorNotAllowed: 'Dieser Chat darf auf dieser Seite nicht verwendet werden.',
    errorUnavailable: 'Dieser Chat ist zurzeit nicht verfügbar.',
    errorOther: 'Die Antwort konnte nicht abgeschlossen werden. Versuchen Sie es gleich noch einmal.',
  },
  fr: {
    openChat: 'Ouvrir le chat',
    close: 'Fermer le chat',
    title: 'Posez une question',
    greeting: 'Posez une question sur nos documents.',
    placeholder: 'Votre question',
    send: 'Envoyer',
    stop: 'Arrêter',
    startOver: 'Recommencer',
    searching: 'Recherche dans les documents',
    source: 'Source {number} : {name}',
    page: 'Page {page}',
    passage: 'Passage entier',
    openDocument: 'Ouvrir le document',
    closeSource: 'Fermer la source',
    stopped: 'Arrêté.',
    retry: 'Réessayer',
    errorNetwork: 'La connexion a été interrompue. Votre question est conservée.',
    errorBusy: 'Trop de questions à la fois. Attendez une minute, puis réessayez.',
    errorToday: 'Plus aucune question ne peut recevoir de réponse aujourd’hui. Revenez demain.',
    errorNotAllowed: 'Ce chat ne peut pas être utilisé sur cette page.',
    errorUnavailable: 'Ce chat n’est pas disponible pour le moment.',
    errorOther: 'La réponse n’a pas pu être terminée. Réessayez dans un instant.',
  },
  es: {
    openChat: 'Abrir el chat',
    close: 'Cerrar el chat',
    title: 'Haga una pregunta',
    greeting: 'Haga una pregunta sobre nuestros documentos.',
    placeholder: 'Su pregunta',
    send: 'Enviar',
    stop: 'Detener',
    startOver: 'Empezar de nuevo',
    searching: 'Buscando en los documentos',
    source: 'Fuente {number}: {name}',
    page: 'Página {page}',
    passage: 'Fragmento completo',
    openDocument: 'Abrir el documento',
    closeSource: 'Cerrar la fuente',
    stopped: 'Detenido.',
    retry: 'Reintentar',
    errorNetwork: 'Se interrumpió la conexión. Su pregunta se conserva.',
    errorBusy: 'Demasiadas preguntas a la vez. Espere un minuto y vuelva a intentarlo.',
    errorToday: 'Hoy no se pueden responder más preguntas. Vuelva a preguntar mañana.',
    errorNotAllowed: 'Este chat no se puede usar en esta página.',
    errorUnavailable: 'Este chat no está disponible en este momento.',
    errorOther: 'No se pudo completar la respuesta. Vuelva a intentarlo en un momento.',
  },
  ja: {
    openChat: 'チャットを開く',
    close: 'チャットを閉じる',
    title: '質問する',
    greeting: '資料について質問してください。',
    placeholder: '質問を入力',
    send: '送信',
    stop: '停止',
    startOver: '最初からやり直す',
    searching: '資料を検索しています',
    source: '出典 {number}: {name}',
    page: '{page} ページ',
    passage: '引用箇所の全体',
    openDocument: '資料を開く',
    closeSource: '出典を閉じる',
    stopped: '停止しました。',
    retry: 'もう一度試す',
    errorNetwork: '接続が切れました。質問は残っています。',
    errorBusy: '質問が続いたため、1 分ほど待ってからもう一度お試しください。',
    errorToday: '本日はこれ以上お答えできません。明日もう一度お試しください。',
    errorNotAllowed: 'このページではチャットを利用できません。',
    errorUnavailable: '現在、このチャットは利用できません。',
    errorOther: '回答を完了できませんでした。しばらくしてからもう一度お試しください。',
  },
  zh: {
    openChat: '打开聊天',
    close: '关闭聊天',
    title: '提问',
    greeting: '请就我们的文档提问。',
    placeholder: '您的问题',
    send: '发送',
    stop: '停止',
    startOver: '重新开始',
    searching: '正在搜索文档',
    source: '来源 {number}：{name}',
    page: '第 {page} 页',
    passage: '完整片段',
    openDocument: '打开文档',
    closeSource: '关闭来源',
    stopped: '已停止。',
    retry: '重试',
    errorNetwork: '连接已中断。您的问题已保留。',
    errorBusy: '提问过于频繁。请稍等一分钟再试。',
    errorToday: '今天无法再回答问题。请明天再问。',
    errorNotAllowed: '此页面不能使用该聊天。',
    errorUnavailable: '该聊天目前不可用。',
    errorOther: '回答未能完成。请稍后再试。',
  },
} satisfies Record<string, Messages>;

export type Language = keyof typeof MESSAGES;

/** The first language that the widget speaks, whatever its region; otherwise English. */
export function chooseLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(language)) return language;
  }
  return 'en';
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(MESSAGES, text);
}

/** A message with its values filled in. */
export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
