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

export type MailKind = 'passwordReset' | 'invitation' | 'personalInvitation' | 'emailChange';

export const MAIL_TEXTS: Readonly<Record<Language, Readonly<Record<MailKind, MailSentences>>>> = {
  en: {
    passwordReset: {
      subject: 'Choose a new password for Citewell',
      introduction:
        'Somebody has asked for a new password of the account {email} at {host}. Open this link within an hour to choose one:',
      link: 'Choose a new password',
      end: 'The link works once. If it was not you, ignore this mail: your password stays as it is.',
    },
    invitation: {
      subject: 'You are invited to {organization} on Citewell',
      introduction:
        'Citewell answers questions about the documents of {organization}, at {host}. Open this link to accept the invitation:',
      link: 'Accept the invitation',
      end: 'The link works once, until {date}. If you do not expect an invitation, ignore this mail.',
    },
    personalInvitation: {
      subject: '{inviter} invites you to {organization} on Citewell',
      introduction:
        '{inviter} invites you to ask questions about the documents of {organization} with Citewell, at {host}. Open this link to accept:',
      link: 'Accept the invitation',
      end: 'The link works once, until {date}. If you do not expect an invitation, ignore this mail.',
    },
    emailChange: {
      subject: 'Confirm your e-mail for Citewell',
      introduction:
        'Somebody wants to use {email} for an account at {host}. If it was you, open this link within an hour in the browser in which you are signed in:',
      link: 'Confirm the e-mail',
      end: 'The link works once. If it was not you, ignore this mail: nothing changes.',
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
    invitation: {
      subject: 'Einladung zu {organization} auf Citewell',
      introduction:
        'Citewell beantwortet Fragen zu den Dokumenten von {organization}, unter {host}. Öffnen Sie diesen Link, um die Einladung anzunehmen:',
      link: 'Einladung annehmen',
      end: 'Der Link funktioniert einmal, bis {date}. Wenn Sie keine Einladung erwarten, ignorieren Sie diese Nachricht.',
    },
    personalInvitation: {
      subject: '{inviter} lädt Sie zu {organization} auf Citewell ein',
      introduction:
        '{inviter} lädt Sie ein, mit Citewell Fragen zu den Dokumenten von {organization} zu stellen, unter {host}. Öffnen Sie diesen Link, um anzunehmen:',
      link: 'Einladung annehmen',
      end: 'Der Link funktioniert einmal, bis {date}. Wenn Sie keine Einladung erwarten, ignorieren Sie diese Nachricht.',
    },
    emailChange: {
      subject: 'E-Mail-Adresse für Citewell bestätigen',
      introduction:
        'Jemand möchte {email} für ein Konto bei {host} verwenden. Wenn Sie das waren, öffnen Sie diesen Link innerhalb einer Stunde in dem Browser, in dem Sie angemeldet sind:',
      link: 'E-Mail-Adresse bestätigen',
      end: 'Der Link funktioniert einmal. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Es ändert sich nichts.',
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
    invitation: {
      subject: 'Invitation à {organization} sur Citewell',
      introduction:
        'Citewell répond aux questions sur les documents de {organization}, sur {host}. Ouvrez ce lien pour accepter l’invitation :',
      link: 'Accepter l’invitation',
      end: 'Le lien sert une fois, jusqu’au {date}. Si vous n’attendez pas d’invitation, ignorez ce message.',
    },
    personalInvitation: {
      subject: '{inviter} vous invite à rejoindre {organization} sur Citewell',
      introduction:
        '{inviter} vous invite à poser des questions sur les documents de {organization} avec Citewell, sur {host}. Ouvrez ce lien pour accepter :',
      link: 'Accepter l’invitation',
      end: 'Le lien sert une fois, jusqu’au {date}. Si vous n’attendez pas d’invitation, ignorez ce message.',
    },
    emailChange: {
      subject: 'Confirmer votre adresse e-mail pour Citewell',
      introduction:
        'Quelqu’un veut utiliser {email} pour un compte sur {host}. Si c’était vous, ouvrez ce lien dans l’heure, dans le navigateur où vous êtes connecté :',
      link: 'Confirmer l’adresse e-mail',
      end: 'Le lien sert une fois. Si ce n’était pas vous, ignorez ce message : rien ne change.',
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
    invitation: {
      subject: 'Invitación a {organization} en Citewell',
      introduction:
        'Citewell responde a preguntas sobre los documentos de {organization}, en {host}. Abra este enlace para aceptar la invitación:',
      link: 'Aceptar la invitación',
      end: 'El enlace sirve una vez, hasta el {date}. Si no espera una invitación, ignore este mensaje.',
    },
    personalInvitation: {
      subject: '{inviter} le invita a {organization} en Citewell',
      introduction:
        '{inviter} le invita a hacer preguntas sobre los documentos de {organization} con Citewell, en {host}. Abra este enlace para aceptar:',
      link: 'Aceptar la invitación',
      end: 'El enlace sirve una vez, hasta el {date}. Si no espera una invitación, ignore este mensaje.',
    },
    emailChange: {
      subject: 'Confirmar su correo electrónico para Citewell',
      introduction:
        'Alguien quiere usar {email} para una cuenta en {host}. Si ha sido usted, abra este enlace antes de una hora en el navegador en el que ha iniciado sesión:',
      link: 'Confirmar el correo electrónico',
      end: 'El enlace sirve una vez. Si no ha sido usted, ignore este mensaje: no cambia nada.',
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
    invitation: {
      subject: 'Citewell の {organization} への招待',
      introduction:
        'Citewell は {host} で {organization} の文書についての質問に答えます。次のリンクを開いて招待を受けてください。',
      link: '招待を受ける',
      end: 'リンクは一度だけ、{date} まで使えます。心当たりがない場合は、このメールを無視してください。',
    },
    personalInvitation: {
      subject: '{inviter} さんが Citewell の {organization} に招待しています',
      introduction:
        '{inviter} さんが、{host} の Citewell で {organization} の文書について質問できるよう招待しています。次のリンクを開いて参加してください。',
      link: '招待を受ける',
      end: 'リンクは一度だけ、{date} まで使えます。心当たりがない場合は、このメールを無視してください。',
    },
    emailChange: {
      subject: 'Citewell のメールアドレスの確認',
      introduction:
        '{host} のアカウントに {email} を使うことが依頼されました。ご自身の操作であれば、サインインしているブラウザーで、1 時間以内に次のリンクを開いてください。',
      link: 'メールアドレスを確認',
      end: 'リンクは一度だけ使えます。心当たりがない場合は、このメールを無視してください。何も変わりません。',
    },
  },
  zh: {
    passwordReset: {
      subject: '为 Citewell 设置新密码',
      introduction: '有人为 {host} 上的账户 {email} 申请了新密码。请在一小时内打开此链接进行设置：',
      link: '设置新密码',
      end: '此链接只能使用一次。如果不是您本人操作，请忽略此邮件：您的密码不会改变。',
    },
    invitation: {
      subject: '邀请您加入 Citewell 上的 {organization}',
      introduction: 'Citewell 在 {host} 回答有关 {organization} 文档的问题。请打开此链接接受邀请：',
      link: '接受邀请',
      end: '此链接只能使用一次，有效期至 {date}。如果您没有预料到此邀请，请忽略此邮件。',
    },
    personalInvitation: {
      subject: '{inviter} 邀请您加入 Citewell 上的 {organization}',
      introduction:
        '{inviter} 邀请您在 {host} 通过 Citewell 就 {organization} 的文档提问。请打开此链接接受邀请：',
      link: '接受邀请',
      end: '此链接只能使用一次，有效期至 {date}。如果您没有预料到此邀请，请忽略此邮件。',
    },
    emailChange: {
      subject: '确认您在 Citewell 的电子邮件',
      introduction:
        '有人想把 {email} 用于 {host} 上的账户。如果是您本人操作，请在一小时内在已登录的浏览器中打开此链接：',
      link: '确认电子邮件',
      end: '此链接只能使用一次。如果不是您本人操作，请忽略此邮件：不会有任何变化。',
    },
  },
};
