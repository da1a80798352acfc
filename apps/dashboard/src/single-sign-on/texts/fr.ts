import type { texts as english } from './en.js';

export const texts: Record<keyof typeof english, string> = {
  text: 'Les personnes se connectent avec les comptes de votre entreprise, chez un fournisseur OpenID Connect tel que Keycloak, Entra ID, Okta ou Google.',
  guide: 'Le guide docs/single-sign-on.md dit ce qu’il faut y saisir.',
  add: 'Ajouter un fournisseur',
  none: 'Il n’y a pas encore de fournisseur.',
  name: 'Nom sur le bouton de connexion',
  issuer: 'Émetteur (issuer)',
  issuerHint: 'L’adresse du fournisseur, par exemple https://login.example.com/realms/example',
  unfinished: 'L’identifiant du client manque',
  ready: 'Sur la page de connexion',
  redirectUri: 'Adresse de redirection',
  redirectHint:
    'Enregistrez chez le fournisseur une application avec cette adresse. Saisissez ensuite ici son identifiant et son secret.',
  clientId: 'Identifiant du client',
  clientSecret: 'Secret du client',
  secretKept: 'Un secret est enregistré. Laissez ce champ vide pour le garder.',
  scopes: 'Scopes',
  scopesHint:
    'Avec offline_access, les sessions se terminent quelques minutes après qu’une personne a été retirée chez le fournisseur.',
  domains: 'Domaines d’e-mail',
  domainsHint: 'Séparés par des virgules, par exemple example.com. Les autres adresses sont refusées.',
  defaultRole: 'Rôle des personnes sans groupe associé',
  noDefault: 'Aucun : seuls les invités et les groupes associés ont accès',
  groupsClaim: 'Claim des groupes',
  mapping: 'Rôles par groupe',
  group: 'Groupe',
  addGroup: 'Ajouter un groupe',
  removeGroup: 'Retirer ce groupe',
  edit: 'Modifier',
  test: 'Tester',
  works: 'Le fournisseur répond.',
  remove: 'Supprimer',
  removeTitle: 'Supprimer ce fournisseur ?',
  removeText:
    'Plus personne ne peut se connecter chez {name}, et ceux qui l’ont fait sont déconnectés. Les personnes restent dans la liste.',
  signInAt: 'Se connecter avec {name}',
  byEmail: 'Authentification unique',
  or: 'ou avec e-mail et mot de passe',
  enterEmail: 'Saisissez d’abord votre adresse e-mail ci-dessus.',
  noProvider: 'Il n’y a pas d’authentification unique pour cette adresse e-mail.',
  profile: 'Vous vous connectez chez {name}, qui garde votre adresse e-mail et votre mot de passe.',
  scimTitle: 'Personnes et groupes par SCIM',
  scimText:
    'Le fournisseur crée, désactive et retire les personnes, et tient les groupes à jour. Une personne désactivée est déconnectée en cinq secondes. Saisissez-y cette adresse et un jeton.',
  scimAddress: 'Adresse du service',
  scimCreate: 'Créer un jeton',
  scimToken: 'Jeton',
  scimOnce:
    'Le jeton n’est affiché qu’une fois. C’est une clé d’API avec le droit scim, que vous révoquez sous les clés d’API.',
  'failed.cancelled': 'La connexion a été annulée.',
  'failed.expired':
    'La connexion a pris trop de temps, ou a commencé dans un autre navigateur ou à une autre adresse. Réessayez.',
  'failed.not-begun-here': 'La connexion doit commencer sur cette page. Utilisez le bouton du fournisseur.',
  'failed.provider-unavailable': 'Le fournisseur est injoignable. Réessayez plus tard.',
  'failed.provider-refused':
    'Le fournisseur a refusé la connexion. Demandez à un propriétaire de vérifier l’identifiant, le secret et l’adresse de redirection.',
  'failed.invalid-response': 'La réponse du fournisseur n’est pas valide. Prévenez un propriétaire.',
  'failed.email-missing':
    'Le fournisseur n’a pas envoyé d’adresse e-mail vérifiée. Prévenez un propriétaire.',
  'failed.email-taken': 'Une autre personne a cette adresse e-mail. Prévenez un propriétaire.',
  'failed.other-domain': 'Les personnes avec cette adresse e-mail ne peuvent pas se connecter ici.',
  'failed.not-invited': 'Vous n’avez pas encore accès. Demandez une invitation à un propriétaire.',
  'failed.owner-exists': 'Un propriétaire a cette adresse e-mail. Connectez-vous avec votre mot de passe.',
  'failed.groups-unknown':
    'Le fournisseur a omis vos groupes, parce qu’ils sont trop nombreux. Prévenez un propriétaire.',
};
