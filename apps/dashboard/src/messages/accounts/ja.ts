import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': '組織',
  'invite.joinTitle': 'お持ちのアカウントで参加',
  'invite.hasAccount': 'すでにアカウントがあります。そのパスワードでサインインしてください。',
  'invite.wrong': 'アカウントのパスワードと違います。',
  'invite.join': '参加してサインイン',
  'invite.joinText': '組織はアカウントメニューで切り替えられます。',
};
