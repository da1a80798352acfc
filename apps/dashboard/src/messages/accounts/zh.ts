import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': '组织',
  'invite.joinTitle': '使用您的账户加入',
  'invite.hasAccount': '您已有账户：请使用该账户的密码登录。',
  'invite.wrong': '这不是您账户的密码。',
  'invite.join': '加入并登录',
  'invite.joinText': '您可以在账户菜单中切换组织。',
};
