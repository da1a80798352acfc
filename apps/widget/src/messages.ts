import type { Language } from '@citewell/contracts/messages';
import { type VisitorError, VISITOR_SENTENCES } from '@citewell/contracts/visitor-errors';

/** What the widget says, except for errors. `{…}` is replaced. */
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
  added: 'Added by Citewell',
  unsupported: 'No source supports this',
};

type Messages = Record<keyof typeof ENGLISH, string>;
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
    added: 'Von Citewell ergänzt',
    unsupported: 'Keine Quelle belegt das',
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
    added: 'Ajouté par Citewell',
    unsupported: 'Aucune source ne le confirme',
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
    added: 'Añadida por Citewell',
    unsupported: 'Ninguna fuente lo respalda',
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
    added: 'Citewell が追加',
    unsupported: '裏付ける出典なし',
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
    added: '由 Citewell 添加',
    unsupported: '没有来源支持',
  },
} satisfies Record<Language, Messages>;

/** Everything that the widget says in one language, with the sentences for failed questions. */
export interface Texts extends Messages {
  readonly errors: Readonly<Record<VisitorError, string>>;
}

export function textsOf(language: Language): Texts {
  return { ...MESSAGES[language], errors: VISITOR_SENTENCES[language] };
}

/** A message with its values filled in. */
export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
