import type { texts as english } from './en.js';

export const texts: Record<keyof typeof english, string> = {
  text: 'Personen melden sich mit den Konten Ihres Unternehmens an, bei einem Anbieter von OpenID Connect wie Keycloak, Entra ID, Okta oder Google.',
  guide: 'Was dort einzutragen ist, steht in der Anleitung docs/single-sign-on.md.',
  add: 'Anbieter hinzufügen',
  none: 'Es gibt noch keinen Anbieter.',
  name: 'Name auf der Schaltfläche der Anmeldung',
  issuer: 'Aussteller (Issuer)',
  issuerHint: 'Die Adresse des Anbieters, zum Beispiel https://login.example.com/realms/example',
  unfinished: 'Client-ID fehlt',
  ready: 'Auf der Anmeldeseite',
  redirectUri: 'Weiterleitungsadresse',
  redirectHint:
    'Registrieren Sie beim Anbieter eine Anwendung mit dieser Adresse. Tragen Sie dann ihre ID und ihr Geheimnis hier ein.',
  clientId: 'Client-ID',
  clientSecret: 'Client-Geheimnis',
  secretKept: 'Ein Geheimnis ist gespeichert. Lassen Sie das Feld leer, um es zu behalten.',
  scopes: 'Scopes',
  scopesHint:
    'Mit offline_access enden Sitzungen wenige Minuten, nachdem eine Person beim Anbieter entfernt wurde.',
  domains: 'E-Mail-Domains',
  domainsHint:
    'Durch Kommas getrennt, zum Beispiel example.com. Personen mit anderen Adressen werden abgewiesen.',
  defaultRole: 'Rolle von Personen ohne zugeordnete Gruppe',
  noDefault: 'Keine: nur Eingeladene und zugeordnete Gruppen kommen hinein',
  groupsClaim: 'Claim mit den Gruppen',
  mapping: 'Rollen nach Gruppe',
  group: 'Gruppe',
  addGroup: 'Gruppe hinzufügen',
  removeGroup: 'Diese Gruppe entfernen',
  edit: 'Bearbeiten',
  test: 'Testen',
  works: 'Der Anbieter antwortet.',
  remove: 'Entfernen',
  removeTitle: 'Diesen Anbieter entfernen?',
  removeText:
    'Niemand kann sich mehr bei {name} anmelden, und wer es getan hat, wird abgemeldet. Die Personen bleiben in der Liste.',
  signInAt: 'Mit {name} anmelden',
  byEmail: 'Single Sign-on',
  or: 'oder mit E-Mail und Passwort',
  enterEmail: 'Geben Sie oben zuerst Ihre E-Mail-Adresse ein.',
  noProvider: 'Für diese E-Mail-Adresse gibt es kein Single Sign-on.',
  profile: 'Sie melden sich bei {name} an. Dort liegen Ihre E-Mail-Adresse und Ihr Passwort.',
  scimTitle: 'Personen und Gruppen über SCIM',
  scimText:
    'Der Anbieter legt Personen an, deaktiviert und entfernt sie, und pflegt Gruppen. Wer deaktiviert ist, ist innerhalb von fünf Sekunden abgemeldet. Tragen Sie dort diese Adresse und ein Token ein.',
  scimAddress: 'Adresse',
  scimCreate: 'Token erstellen',
  scimToken: 'Zugangstoken',
  scimOnce:
    'Das Token wird nur einmal angezeigt. Es ist ein API-Schlüssel mit dem Recht scim, den Sie unter API-Schlüssel widerrufen.',
  'failed.cancelled': 'Die Anmeldung wurde abgebrochen.',
  'failed.expired':
    'Die Anmeldung hat zu lange gedauert, oder sie hat in einem anderen Browser oder unter einer anderen Adresse begonnen. Versuchen Sie es noch einmal.',
  'failed.not-begun-here':
    'Die Anmeldung muss auf dieser Seite beginnen. Verwenden Sie die Schaltfläche des Anbieters.',
  'failed.provider-unavailable': 'Der Anbieter ist nicht erreichbar. Versuchen Sie es später noch einmal.',
  'failed.provider-refused':
    'Der Anbieter hat die Anmeldung abgelehnt. Ein Eigentümer muss Client-ID, Client-Geheimnis und Weiterleitungsadresse prüfen.',
  'failed.invalid-response': 'Die Antwort des Anbieters ist ungültig. Wenden Sie sich an einen Eigentümer.',
  'failed.email-missing':
    'Der Anbieter hat keine bestätigte E-Mail-Adresse gesendet. Wenden Sie sich an einen Eigentümer.',
  'failed.email-taken': 'Eine andere Person hat diese E-Mail-Adresse. Wenden Sie sich an einen Eigentümer.',
  'failed.other-domain': 'Mit dieser E-Mail-Adresse kann man sich hier nicht anmelden.',
  'failed.not-invited': 'Sie haben noch keinen Zugang. Bitten Sie einen Eigentümer um eine Einladung.',
  'failed.owner-exists': 'Ein Eigentümer hat diese E-Mail-Adresse. Melden Sie sich mit Ihrem Passwort an.',
  'failed.groups-unknown':
    'Der Anbieter hat Ihre Gruppen weggelassen, weil es zu viele sind. Wenden Sie sich an einen Eigentümer.',
};
