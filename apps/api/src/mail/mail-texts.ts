import type { Language } from '@citewell/contracts/messages';

/** The sentences of one kind of mail. `{…}` are placeholders. */
export interface MailSentences {
  subject: string;
  /** Before the link. */
  introduction: string;
  /** What the link is called in HTML. */
  link: string;
  /** After the link. */
  end: string;
}

export type MailKind = 'passwordReset';

export const MAIL_TEXTS: Readonly<Record<Language, Readonly<Record<MailKind, MailSentences>>>> = {
  en: {
    passwordReset: {
      subject: 'Choose a new password for Citewell',
      introduction:
        'Somebody has asked for a new password of the account {email} at {host}. Open this link within an hour to choose one:',
      link: 'Choose a new password',
      end: 'The link works once. If it was not you, ignore this mail: your password stays as it is.',
    },
  },
  de: {
    passwordReset: {
      subject: 'Neues Passwort für Citewell wählen',
      introduction:
        'Jemand hat ein neues Passwort für das Konto {email} bei {host} angefordert. Öffnen Sie diesen Link innerhalb einer Stunde, um eines zu wählen:',
      link: 'Neues Passwort wählen',
      end: 'Der Link funktioniert einmal. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
    },
  },
  fr: {
    passwordReset: {
      subject: 'Choisir un nouveau mot de passe pour Citewell',
      introduction:
        'Quelqu’un a demandé un nouveau mot de passe pour le compte {email} sur {host}. Ouvrez ce lien dans l’heure pour en choisir un :',
      link: 'Choisir un nouveau mot de passe',
      end: 'Le lien sert une fois. Si ce n’était pas vous, ignorez ce message : votre mot de passe ne change pas.',
    },
  },
  es: {
    passwordReset: {
      subject: 'Elegir una contraseña nueva para Citewell',
      introduction:
        'Alguien ha pedido una contraseña nueva para la cuenta {email} en {host}. Abra este enlace antes de una hora para elegirla:',
      link: 'Elegir una contraseña nueva',
      end: 'El enlace sirve una vez. Si no ha sido usted, ignore este mensaje: su contraseña no cambia.',
    },
  },
  ja: {
    passwordReset: {
      subject: 'Citewell の新しいパスワードの設定',
      introduction:
        '{host} のアカウント {email} について、新しいパスワードの設定が依頼されました。1 時間以内に次のリンクを開いて設定してください。',
      link: '新しいパスワードを設定',
      end: 'リンクは一度だけ使えます。心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
    },
  },
  zh: {
    passwordReset: {
      subject: '为 Citewell 设置新密码',
      introduction: '有人为 {host} 上的账户 {email} 申请了新密码。请在一小时内打开此链接进行设置：',
      link: '设置新密码',
      end: '此链接只能使用一次。如果不是您本人操作，请忽略此邮件：您的密码不会改变。',
    },
  },
};
