import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': '組織',
  'invite.joinTitle': 'お持ちのアカウントで参加',
  'invite.hasAccount': 'すでにアカウントがあります。そのパスワードでサインインしてください。',
  'invite.wrong': 'アカウントのパスワードと違います。',
  'invite.join': '参加してサインイン',
  'invite.joinText': '組織はアカウントメニューで切り替えられます。',
  'reset.forgotten': 'パスワードをお忘れですか？',
  'reset.request': 'パスワードをお忘れですか？',
  'reset.send': 'リンクを送信',
  'reset.sent':
    'このメールアドレスのアカウントがあれば、リンクをお送りします。1 時間有効です。迷惑メールフォルダーもご確認ください。',
  'reset.back': 'サインインに戻る',
  'reset.title': '新しいパスワードを決める',
  'reset.text': 'ほかのすべての場所からサインアウトされます。',
  'reset.used': 'このリンクは使用済みか、期限切れです。サインインページで新しいリンクを依頼してください。',
  'email.title': 'メールアドレスの確認',
  'email.text': 'このメールアドレスが、これまでのものに代わってアカウントのメールアドレスになります。',
  'email.submit': '確認',
  'email.unusable':
    'このリンクは使用済みか、期限切れか、別の人のものです。プロフィールでもう一度メールアドレスを変更してください。',
  'email.taken': 'このメールアドレスは別のアカウントで使われています。',
  'email.sent':
    '{email} にリンクを送信しました。1 時間以内にこのブラウザーで開くと、メールアドレスが変わります。',
  'passkeys.title': 'パスキー',
  'passkeys.text': 'パスワードの代わりに、端末の指紋、顔、PIN でサインインします。',
  'passkeys.unsupported': 'パスキーには HTTPS と、サーバーの公開アドレスが必要です。',
  'passkeys.add': 'パスキーを追加',
  'passkeys.lastUsed': '最終使用',
  'passkeys.never': '未使用',
  'passkeys.removeTitle': 'このパスキーを削除しますか？',
  'passkeys.removeText': '「{name}」ではサインインできなくなります。端末からも削除してください。',
  'passkeys.signIn': 'パスキーでサインイン',
  'passkeys.failed': 'ブラウザーでの操作が完了しませんでした。もう一度お試しください。',
  'passkeys.refused':
    'このパスキーは登録されていません。メールアドレスとパスワードでサインインしてください。',
  'invite.sendMail': 'リンクをメールでも送信',
  'invite.mailed':
    'リンクを {email} に送信しています。ご自分で送ることもできます。表示は一度だけ、使えるのも一度だけで、{time} に期限が切れます。',
};
