import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organisation',
  'invite.joinTitle': 'Mit Ihrem Konto beitreten',
  'invite.hasAccount': 'Sie haben schon ein Konto: Melden Sie sich mit dessen Passwort an.',
  'invite.wrong': 'Das ist nicht das Passwort Ihres Kontos.',
  'invite.join': 'Beitreten und anmelden',
  'invite.joinText': 'Im Kontomenü wechseln Sie zwischen Ihren Organisationen.',
};
