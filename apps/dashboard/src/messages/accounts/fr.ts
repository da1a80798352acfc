import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organisation',
  'invite.joinTitle': 'Rejoindre avec votre compte',
  'invite.hasAccount': 'Vous avez déjà un compte : connectez-vous avec son mot de passe.',
  'invite.wrong': 'Ce n’est pas le mot de passe de votre compte.',
  'invite.join': 'Rejoindre et se connecter',
  'invite.joinText': 'Vous pouvez changer d’organisation dans le menu du compte.',
};
