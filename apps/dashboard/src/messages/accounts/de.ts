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
  'email.title': 'E-Mail-Adresse bestätigen',
  'email.text': 'Diese E-Mail-Adresse wird die Ihres Kontos, anstelle der bisherigen.',
  'email.submit': 'Bestätigen',
  'email.unusable':
    'Dieser Link wurde schon benutzt, ist zu alt oder gehört zu einer anderen Person. Ändern Sie die E-Mail-Adresse noch einmal im Profil.',
  'email.taken': 'Ein anderes Konto hat diese E-Mail-Adresse.',
  'email.sent':
    'Ein Link ist unterwegs an {email}. Die E-Mail-Adresse ändert sich, wenn Sie ihn innerhalb einer Stunde in diesem Browser öffnen.',
  'passkeys.title': 'Ihre Passkeys',
  'passkeys.text':
    'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN eines Geräts an, statt mit dem Passwort.',
  'passkeys.unsupported': 'Passkeys brauchen HTTPS und die öffentliche Adresse des Servers.',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.lastUsed': 'Zuletzt benutzt',
  'passkeys.never': 'Nie',
  'passkeys.removeTitle': 'Diesen Passkey entfernen?',
  'passkeys.removeText': '„{name}“ kann sich dann nicht mehr anmelden. Entfernen Sie ihn auch vom Gerät.',
  'passkeys.signIn': 'Mit Passkey anmelden',
  'passkeys.failed': 'Der Browser hat den Vorgang nicht beendet. Versuchen Sie es noch einmal.',
  'passkeys.refused': 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich mit E-Mail und Passwort an.',
  'invite.sendMail': 'Den Link auch per E-Mail senden',
  'invite.mailed':
    'Der Link ist unterwegs an {email}. Sie können ihn auch selbst senden: Er wird einmal gezeigt, funktioniert einmal und läuft am {time} ab.',
};
