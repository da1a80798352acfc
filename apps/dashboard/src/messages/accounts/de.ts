import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organisation',
  'invite.joinTitle': 'Mit Ihrem Konto beitreten',
  'invite.hasAccount': 'Sie haben schon ein Konto: Melden Sie sich mit dessen Passwort an.',
  'invite.wrong': 'Das ist nicht das Passwort Ihres Kontos.',
  'invite.join': 'Beitreten und anmelden',
  'invite.joinText': 'Im Kontomenü wechseln Sie zwischen Ihren Organisationen.',
  'reset.forgotten': 'Passwort vergessen?',
  'reset.request': 'Passwort vergessen?',
  'reset.send': 'Link senden',
  'reset.sent':
    'Wenn es ein Konto mit dieser E-Mail gibt, ist ein Link unterwegs. Er gilt eine Stunde. Sehen Sie auch im Spam-Ordner nach.',
  'reset.back': 'Zurück zur Anmeldung',
  'reset.title': 'Neues Passwort wählen',
  'reset.text': 'Überall sonst werden Sie abgemeldet.',
  'reset.used':
    'Dieser Link wurde schon benutzt oder ist zu alt. Fordern Sie auf der Anmeldeseite einen neuen an.',
};
