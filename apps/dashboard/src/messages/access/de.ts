import type { access as english } from './en.js';

export const access: Record<keyof typeof english, string> = {
  'groups.title': 'Gruppen',
  'groups.text':
    'Die Personen einer Gruppe dürfen dieselben Bibliotheken lesen. Welche Gruppen eine Bibliothek lesen, wählen Sie dort.',
  'groups.new': 'Neue Gruppe',
  'groups.none': 'Es gibt noch keine Gruppe.',
  'groups.name': 'Name der Gruppe',
  'groups.create': 'Gruppe anlegen',
  'groups.rename': 'Umbenennen',
  'groups.members': 'Mitglieder',
  'groups.membersOf': 'Mitglieder von {name}',
  'groups.noMembers': 'In dieser Gruppe ist noch niemand.',
  'groups.addMember': 'Person zum Hinzufügen suchen',
  'groups.external': 'Wird vom Identitätsanbieter gepflegt',
  'groups.deleteTitle': 'Diese Gruppe löschen?',
  'groups.deleteText':
    'Die Mitglieder von „{name}“ bleiben. Was sie als Mitglieder lesen durften, dürfen sie nicht mehr lesen.',
  'groups.deleteConfirm': 'Gruppe löschen',
  'readers.title': 'Wer lesen darf',
  'readers.text':
    'Inhaber und API-Schlüssel lesen jede Bibliothek, und Besucher eines öffentlichen Agenten erhalten Antworten aus allen seinen Bibliotheken.',
  'readers.everyone': 'Alle in der Organisation',
  'readers.chosen': 'Ausgewählte Personen und Gruppen',
  'readers.search': 'Personen und Gruppen zum Hinzufügen suchen',
  'readers.notFound': 'Niemand gefunden.',
  'readers.none': 'Niemand ist ausgewählt: nur Inhaber lesen sie.',
  'readers.group': 'Gruppe',
  'readers.you': 'Sie',
  'readers.add': '{name} hinzufügen',
  'readers.remove': '{name} entfernen',
  'readers.restricted': 'Nur für ausgewählte Personen und Gruppen',
};
