import type { own as english } from './en.js';

export const own: Record<keyof typeof english, string> = {
  'own.list': 'Vos conversations',
  'own.open': 'Afficher les conversations',
  'own.search': 'Chercher dans vos questions',
  'own.none': 'Aucune conversation pour l’instant.',
  'own.notFound': 'Rien n’a été trouvé.',
  'own.today': 'Aujourd’hui',
  'own.yesterday': 'Hier',
  'own.earlier': 'Plus tôt',
  'own.actions': 'Actions pour « {title} »',
  'own.rename': 'Renommer',
  'own.newName': 'Nom de la conversation',
  'own.newNameHint': 'Vide : la première question.',
  'own.save': 'Enregistrer',
  'own.delete': 'Supprimer',
  'own.deleteTitle': 'Supprimer cette conversation ?',
  'own.deleteText': '« {title} » est supprimée définitivement, et un lien vers elle ne fonctionne plus.',
  'own.share': 'Partager',
  'own.shareText':
    'Les personnes de « {organization} » qui ont ce lien peuvent lire les questions et réponses jusqu’ici, si elles peuvent lire chaque document sur lequel les réponses se fondent.',
  'own.shareLater': 'Les questions suivantes ne sont partagées que si vous partagez à nouveau.',
  'own.link': 'Lien',
  'own.endShare': 'Désactiver le lien',
  'own.sharedBadge': 'Partagée',
  'own.sharedBy': 'Partagée par {name}, {time}',
  'own.sharedBySomebody': 'Partagée par un collègue, {time}',
  'own.sharedGone': 'Ce lien ne fonctionne pas',
  'own.sharedGoneText':
    'Il a été désactivé, ou la conversation cite des documents que vous ne pouvez pas lire ou qui ont été supprimés. Demandez à la personne qui l’a envoyé.',
  'own.told':
    'Les propriétaires de « {organization} » peuvent lire les conversations commencées depuis le {time}.',
  'own.setting': 'Les propriétaires lisent les conversations',
  'own.settingText':
    'Ouvre les conversations des personnes aux propriétaires et aux clés d’API qui ont le droit admin : celles qui commencent à partir de maintenant. Les personnes en sont informées. Les propriétaires voient toujours les questions sans réponse et les évaluations, sans noms.',
  'own.feedback': 'Avis de tous',
  'own.feedbackText':
    'Questions sans réponse et réponses évaluées, y compris des conversations que vous ne lisez pas. Les noms ne sont pas affichés.',
  'own.feedbackNone': 'Aucun avis, et aucune question sans réponse.',
  'own.tokens': 'Jetons d’accès personnels',
  'own.tokensText':
    'Un programme qui travaille pour vous envoie un jeton au lieu d’une clé d’API. Il voit ce que vous voyez.',
  'own.newToken': 'Nouveau jeton',
  'own.tokenCreated': 'Copiez le jeton maintenant. Il ne sera plus affiché.',
  'own.createToken': 'Créer le jeton',
  'own.revokeToken': 'Révoquer le jeton',
  'own.revokeTitle': 'Révoquer ce jeton ?',
  'own.tokenOf': 'Jeton de {name}',
  'own.somebody': 'une personne sans nom',
};
