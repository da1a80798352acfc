import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organisation',
  'invite.joinTitle': 'Rejoindre avec votre compte',
  'invite.hasAccount': 'Vous avez déjà un compte : connectez-vous avec son mot de passe.',
  'invite.wrong': 'Ce n’est pas le mot de passe de votre compte.',
  'invite.join': 'Rejoindre et se connecter',
  'invite.joinText': 'Vous pouvez changer d’organisation dans le menu du compte.',
  'reset.forgotten': 'Mot de passe oublié ?',
  'reset.request': 'Mot de passe oublié ?',
  'reset.send': 'Envoyer le lien',
  'reset.sent':
    'S’il existe un compte avec cette adresse, un lien est en route. Il est valable une heure. Regardez aussi dans les indésirables.',
  'reset.back': 'Retour à la connexion',
  'reset.title': 'Choisir un nouveau mot de passe',
  'reset.text': 'Vous serez déconnecté partout ailleurs.',
  'reset.used': 'Ce lien a déjà servi ou est trop ancien. Demandez-en un autre sur la page de connexion.',
  'email.title': 'Confirmer votre adresse e-mail',
  'email.text': 'Cette adresse devient celle de votre compte, à la place de la précédente.',
  'email.submit': 'Confirmer',
  'email.unusable':
    'Ce lien a déjà servi, est trop ancien ou appartient à une autre personne. Changez de nouveau l’adresse dans votre profil.',
  'email.taken': 'Un autre compte a cette adresse e-mail.',
  'email.sent':
    'Un lien est en route vers {email}. Votre adresse change quand vous l’ouvrez dans ce navigateur, dans l’heure.',
  'passkeys.title': 'Clés d’accès',
  'passkeys.text':
    'Connectez-vous avec l’empreinte, le visage ou le code d’un appareil, au lieu du mot de passe.',
  'passkeys.unsupported': 'Les clés d’accès demandent HTTPS et l’adresse publique du serveur.',
  'passkeys.add': 'Ajouter une clé d’accès',
  'passkeys.lastUsed': 'Dernière utilisation',
  'passkeys.never': 'Jamais',
  'passkeys.removeTitle': 'Retirer cette clé d’accès ?',
  'passkeys.removeText': '« {name} » ne pourra plus servir à se connecter. Retirez-la aussi de l’appareil.',
  'passkeys.signIn': 'Se connecter avec une clé d’accès',
  'passkeys.failed': 'Le navigateur n’a pas terminé. Réessayez.',
  'passkeys.refused':
    'Cette clé d’accès n’est pas connue ici. Connectez-vous avec l’adresse e-mail et le mot de passe.',
  'invite.sendMail': 'Envoyer aussi le lien par e-mail',
  'invite.mailed':
    'Le lien est en route vers {email}. Vous pouvez aussi l’envoyer vous-même : il s’affiche une fois, sert une fois et expire le {time}.',
};
