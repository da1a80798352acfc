import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organización',
  'invite.joinTitle': 'Unirse con su cuenta',
  'invite.hasAccount': 'Ya tiene una cuenta: inicie sesión con su contraseña.',
  'invite.wrong': 'Esta no es la contraseña de su cuenta.',
  'invite.join': 'Unirse e iniciar sesión',
  'invite.joinText': 'Puede cambiar de organización en el menú de la cuenta.',
};
