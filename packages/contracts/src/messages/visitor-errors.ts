import type { ApiErrorCode } from '../errors/api-errors.js';
import type { Language } from '../languages.js';
import type { ClientErrorCode } from './describe-error.js';

/** What a visitor of a public agent is told. Visitors cannot change anything, so several codes share a sentence. */
export type VisitorError = 'interrupted' | 'busy' | 'usedUp' | 'notAllowed' | 'unavailable' | 'other';

export const VISITOR_SENTENCES: Readonly<Record<Language, Readonly<Record<VisitorError, string>>>> = {
  en: {
    interrupted: 'The connection was interrupted. Your question is kept.',
    busy: 'Too many questions at once. Wait a minute, then try again.',
    usedUp: 'No more questions can be answered today. Ask again tomorrow.',
    notAllowed: 'This chat may not be used on this page.',
    unavailable: 'This chat is not available at the moment.',
    other: 'The answer could not be completed. Try again in a moment.',
  },
  de: {
    interrupted: 'Die Verbindung wurde unterbrochen. Ihre Frage bleibt erhalten.',
    busy: 'Das waren viele Fragen auf einmal. Warten Sie eine Minute und versuchen Sie es erneut.',
    usedUp: 'Heute können keine weiteren Fragen beantwortet werden. Fragen Sie morgen wieder.',
    notAllowed: 'Dieser Chat darf auf dieser Seite nicht verwendet werden.',
    unavailable: 'Dieser Chat ist zurzeit nicht verfügbar.',
    other: 'Die Antwort konnte nicht abgeschlossen werden. Versuchen Sie es gleich noch einmal.',
  },
  fr: {
    interrupted: 'La connexion a été interrompue. Votre question est conservée.',
    busy: 'Trop de questions à la fois. Attendez une minute, puis réessayez.',
    usedUp: 'Plus aucune question ne peut recevoir de réponse aujourd’hui. Revenez demain.',
    notAllowed: 'Ce chat ne peut pas être utilisé sur cette page.',
    unavailable: 'Ce chat n’est pas disponible pour le moment.',
    other: 'La réponse n’a pas pu être terminée. Réessayez dans un instant.',
  },
  es: {
    interrupted: 'Se interrumpió la conexión. Su pregunta se conserva.',
    busy: 'Demasiadas preguntas a la vez. Espere un minuto y vuelva a intentarlo.',
    usedUp: 'Hoy no se pueden responder más preguntas. Vuelva a preguntar mañana.',
    notAllowed: 'Este chat no se puede usar en esta página.',
    unavailable: 'Este chat no está disponible en este momento.',
    other: 'No se pudo completar la respuesta. Vuelva a intentarlo en un momento.',
  },
  ja: {
    interrupted: '接続が切れました。質問は残っています。',
    busy: '質問が続いたため、1 分ほど待ってからもう一度お試しください。',
    usedUp: '本日はこれ以上お答えできません。明日もう一度お試しください。',
    notAllowed: 'このページではチャットを利用できません。',
    unavailable: '現在、このチャットは利用できません。',
    other: '回答を完了できませんでした。しばらくしてからもう一度お試しください。',
  },
  zh: {
    interrupted: '连接已中断。您的问题已保留。',
    busy: '提问过于频繁。请稍等一分钟再试。',
    usedUp: '今天无法再回答问题。请明天再问。',
    notAllowed: '此页面不能使用该聊天。',
    unavailable: '该聊天目前不可用。',
    other: '回答未能完成。请稍后再试。',
  },
};

/** All other codes are `other`. */
const BY_CODE: Readonly<Partial<Record<ApiErrorCode | ClientErrorCode, VisitorError>>> = {
  NETWORK: 'interrupted',
  TIMEOUT: 'interrupted',
  STREAM_INCOMPLETE: 'interrupted',
  FORBIDDEN: 'notAllowed',
  UNAUTHORIZED: 'unavailable',
  NOT_FOUND: 'unavailable',
  CONFLICT: 'unavailable',
  USAGE_LIMIT: 'unavailable',
  RATE_LIMIT: 'busy',
};

/** A longer wait is the limit of the day. */
const LONGEST_PAUSE_SECONDS = 3_600;

/** What a visitor is told about a question that failed. @param code unknown codes are `other` */
export function visitorErrorOf(code: string, retryAfterSeconds: number | null): VisitorError {
  if (code === 'RATE_LIMIT' && (retryAfterSeconds ?? 0) > LONGEST_PAUSE_SECONDS) return 'usedUp';
  const known: Readonly<Record<string, VisitorError>> = BY_CODE;
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'other';
}
