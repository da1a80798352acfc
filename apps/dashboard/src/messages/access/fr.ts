import type { access as english } from './en.js';

export const access: Record<keyof typeof english, string> = {
  'groups.title': 'Groupes',
  'groups.text':
    'Les personnes d’un groupe peuvent lire les mêmes bibliothèques. Ouvrez une bibliothèque pour choisir ses groupes.',
  'groups.new': 'Nouveau groupe',
  'groups.none': 'Il n’y a pas encore de groupe.',
  'groups.name': 'Nom du groupe',
  'groups.create': 'Créer le groupe',
  'groups.rename': 'Renommer',
  'groups.members': 'Membres',
  'groups.membersOf': 'Membres de {name}',
  'groups.noMembers': 'Ce groupe n’a encore personne.',
  'groups.addMember': 'Chercher une personne à ajouter',
  'groups.external': 'Géré par le fournisseur d’identité',
  'groups.deleteTitle': 'Supprimer ce groupe ?',
  'groups.deleteText':
    'Les membres de « {name} » restent, et perdent ce qu’ils pouvaient lire comme membres.',
  'groups.deleteConfirm': 'Supprimer le groupe',
  'readers.title': 'Qui peut lire',
  'readers.text':
    'Les propriétaires et les clés d’API lisent toutes les bibliothèques, et les visiteurs d’un agent public reçoivent des réponses de toutes les siennes.',
  'readers.everyone': 'Toute l’organisation',
  'readers.chosen': 'Des personnes et des groupes choisis',
  'readers.search': 'Chercher des personnes et des groupes à ajouter',
  'readers.notFound': 'Personne n’a été trouvé.',
  'readers.none': 'Personne n’est choisi : seuls les propriétaires la lisent.',
  'readers.group': 'Groupe',
  'readers.you': 'vous',
  'readers.add': 'Ajouter {name}',
  'readers.remove': 'Retirer {name}',
  'readers.restricted': 'Réservée à des personnes et des groupes choisis',
};
