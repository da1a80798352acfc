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

export type MailKind =
  | 'passwordReset'
  | 'invitation'
  | 'personalInvitation'
  | 'emailChange'
  | 'gapAnswered'
  | 'gapUnanswered'
  | 'gapsOfWeek';

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
    gapAnswered: {
      subject: 'Your documents now answer a question that you marked',
      introduction:
        'You marked this question as answered: “{question}” It was asked again last night. “{document}” has a passage for it.',
      link: 'Open the questions without an answer',
      end: 'The passage was found by a search. Ask the question to read the answer.',
    },
    gapUnanswered: {
      subject: 'A question that you marked still has no answer',
      introduction:
        'You marked this question as answered: “{question}” It was asked again last night. No document that was added or changed since has a passage for it.',
      link: 'Open the questions without an answer',
      end: 'The question is asked again when documents are added. If they answer it, you get a mail.',
    },
    gapsOfWeek: {
      subject: 'Questions that your documents did not answer this week: {questions}',
      introduction:
        'Your documents did not answer some questions of the last seven days. Questions: {questions}. Subjects: {subjects}. Most frequent:',
      link: 'Open the questions without an answer',
      end: 'Names are not shown. Owners can switch this mail off on that page.',
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
    gapAnswered: {
      subject: 'Ihre Dokumente beantworten jetzt eine Frage, die Sie markiert haben',
      introduction:
        'Sie haben diese Frage als beantwortet markiert: „{question}“ In der letzten Nacht wurde sie noch einmal gestellt. „{document}“ enthält eine passende Stelle.',
      link: 'Unbeantwortete Fragen öffnen',
      end: 'Die Stelle wurde durch eine Suche gefunden. Stellen Sie die Frage, um die Antwort zu lesen.',
    },
    gapUnanswered: {
      subject: 'Eine Frage, die Sie markiert haben, hat noch keine Antwort',
      introduction:
        'Sie haben diese Frage als beantwortet markiert: „{question}“ In der letzten Nacht wurde sie noch einmal gestellt. Kein Dokument, das seither hinzugefügt oder geändert wurde, enthält eine passende Stelle.',
      link: 'Unbeantwortete Fragen öffnen',
      end: 'Die Frage wird noch einmal gestellt, wenn Dokumente hinzukommen. Wenn sie die Frage beantworten, erhalten Sie eine Nachricht.',
    },
    gapsOfWeek: {
      subject: 'Fragen dieser Woche, die Ihre Dokumente nicht beantworten: {questions}',
      introduction:
        'Ihre Dokumente beantworten einige Fragen der letzten sieben Tage nicht. Fragen: {questions}. Themen: {subjects}. Am häufigsten:',
      link: 'Unbeantwortete Fragen öffnen',
      end: 'Namen werden nicht gezeigt. Inhaber können diese Nachricht auf der Seite abschalten.',
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
    gapAnswered: {
      subject: 'Vos documents répondent maintenant à une question que vous avez marquée',
      introduction:
        'Vous avez marqué cette question comme résolue : « {question} » Elle a été posée de nouveau la nuit dernière. « {document} » contient un passage qui y répond.',
      link: 'Ouvrir les questions sans réponse',
      end: 'Le passage a été trouvé par une recherche. Posez la question pour lire la réponse.',
    },
    gapUnanswered: {
      subject: 'Une question que vous avez marquée n’a toujours pas de réponse',
      introduction:
        'Vous avez marqué cette question comme résolue : « {question} » Elle a été posée de nouveau la nuit dernière. Aucun document ajouté ou modifié depuis ne contient de passage qui y réponde.',
      link: 'Ouvrir les questions sans réponse',
      end: 'La question sera posée de nouveau quand des documents seront ajoutés. S’ils y répondent, vous recevrez un message.',
    },
    gapsOfWeek: {
      subject: 'Questions de la semaine auxquelles vos documents ne répondent pas : {questions}',
      introduction:
        'Vos documents ne répondent pas à certaines questions des sept derniers jours. Questions : {questions}. Sujets : {subjects}. Les plus fréquents :',
      link: 'Ouvrir les questions sans réponse',
      end: 'Les noms ne sont pas affichés. Les propriétaires peuvent désactiver ce message sur cette page.',
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
    gapAnswered: {
      subject: 'Sus documentos responden ahora a una pregunta que marcó',
      introduction:
        'Marcó esta pregunta como respondida: «{question}» Anoche se volvió a hacer. «{document}» contiene un pasaje que la responde.',
      link: 'Abrir las preguntas sin respuesta',
      end: 'El pasaje se encontró con una búsqueda. Haga la pregunta para leer la respuesta.',
    },
    gapUnanswered: {
      subject: 'Una pregunta que marcó sigue sin respuesta',
      introduction:
        'Marcó esta pregunta como respondida: «{question}» Anoche se volvió a hacer. Ningún documento añadido o modificado desde entonces contiene un pasaje que la responda.',
      link: 'Abrir las preguntas sin respuesta',
      end: 'La pregunta se volverá a hacer cuando se añadan documentos. Si la responden, recibirá un mensaje.',
    },
    gapsOfWeek: {
      subject: 'Preguntas de esta semana que sus documentos no responden: {questions}',
      introduction:
        'Sus documentos no responden a algunas preguntas de los últimos siete días. Preguntas: {questions}. Temas: {subjects}. Los más frecuentes:',
      link: 'Abrir las preguntas sin respuesta',
      end: 'No se muestran nombres. Los propietarios pueden desactivar este mensaje en esa página.',
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
    gapAnswered: {
      subject: '対応済みにした質問に、文書で答えられるようになりました',
      introduction:
        '対応済みにした質問: 「{question}」 昨夜、この質問をもう一度検索しました。「{document}」に該当する箇所があります。',
      link: '答えのない質問を開く',
      end: '箇所は検索で見つかりました。回答を読むには質問してください。',
    },
    gapUnanswered: {
      subject: '対応済みにした質問に、まだ答えがありません',
      introduction:
        '対応済みにした質問: 「{question}」 昨夜、この質問をもう一度検索しました。その後に追加または変更された文書には、該当する箇所がありません。',
      link: '答えのない質問を開く',
      end: '文書が追加されると、質問をもう一度検索します。答えが見つかったらメールでお知らせします。',
    },
    gapsOfWeek: {
      subject: '今週、文書で答えられなかった質問: {questions} 件',
      introduction:
        'この 7 日間に、文書で答えられない質問がありました。質問: {questions} 件。テーマ: {subjects} 件。多い順:',
      link: '答えのない質問を開く',
      end: '名前は表示されません。オーナーはこのページでメールを停止できます。',
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
    gapAnswered: {
      subject: '文档现在可以回答您标记的问题',
      introduction: '您将此问题标记为已回答：“{question}” 昨晚系统再次提问。“{document}”中有相关段落。',
      link: '打开未回答的问题',
      end: '该段落是通过搜索找到的。请提问以阅读答案。',
    },
    gapUnanswered: {
      subject: '您标记的问题仍然没有答案',
      introduction:
        '您将此问题标记为已回答：“{question}” 昨晚系统再次提问。此后添加或更改的文档中没有相关段落。',
      link: '打开未回答的问题',
      end: '添加文档后，系统会再次提问。如果文档能够回答，您会收到邮件。',
    },
    gapsOfWeek: {
      subject: '本周文档未能回答的问题：{questions}',
      introduction: '最近七天，文档未能回答一些问题。问题：{questions}。主题：{subjects}。最常见的：',
      link: '打开未回答的问题',
      end: '不显示姓名。所有者可以在该页面关闭此邮件。',
    },
  },
};
