import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': '组织',
  'invite.joinTitle': '使用您的账户加入',
  'invite.hasAccount': '您已有账户：请使用该账户的密码登录。',
  'invite.wrong': '这不是您账户的密码。',
  'invite.join': '加入并登录',
  'invite.joinText': '您可以在账户菜单中切换组织。',
  'reset.forgotten': '忘记密码？',
  'reset.request': '忘记密码？',
  'reset.send': '发送链接',
  'reset.sent': '如果存在使用此电子邮件的账户，链接已发出，一小时内有效。也请查看垃圾邮件文件夹。',
  'reset.back': '返回登录',
  'reset.title': '设置新密码',
  'reset.text': '其他所有地方都会退出登录。',
  'reset.used': '此链接已被使用或已过期。请在登录页面重新申请。',
};
