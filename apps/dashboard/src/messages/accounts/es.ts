import type { accounts as english } from './en.js';

export const accounts: Record<keyof typeof english, string> = {
  'account.organizations': 'Organización',
  'invite.joinTitle': 'Unirse con su cuenta',
  'invite.hasAccount': 'Ya tiene una cuenta: inicie sesión con su contraseña.',
  'invite.wrong': 'Esta no es la contraseña de su cuenta.',
  'invite.join': 'Unirse e iniciar sesión',
  'invite.joinText': 'Puede cambiar de organización en el menú de la cuenta.',
  'reset.forgotten': '¿Olvidó su contraseña?',
  'reset.request': '¿Olvidó su contraseña?',
  'reset.send': 'Enviar el enlace',
  'reset.sent':
    'Si existe una cuenta con este correo, hay un enlace en camino. Vale una hora. Mire también en el correo no deseado.',
  'reset.back': 'Volver al inicio de sesión',
  'reset.title': 'Elegir una contraseña nueva',
  'reset.text': 'Se cerrará su sesión en todos los demás sitios.',
  'reset.used': 'Este enlace ya se usó o es demasiado antiguo. Pida otro en la página de inicio de sesión.',
  'email.title': 'Confirmar su correo electrónico',
  'email.text': 'Este correo pasa a ser el de su cuenta, en lugar del anterior.',
  'email.submit': 'Confirmar',
  'email.unusable':
    'Este enlace ya se usó, es demasiado antiguo o pertenece a otra persona. Cambie de nuevo el correo en su perfil.',
  'email.taken': 'Otra cuenta tiene este correo electrónico.',
  'email.sent':
    'Hemos enviado un enlace a {email}. Su correo cambia cuando lo abra en este navegador, antes de una hora.',
  'passkeys.title': 'Llaves de acceso',
  'passkeys.text':
    'Inicie sesión con la huella, la cara o el PIN de un dispositivo, en lugar de la contraseña.',
  'passkeys.unsupported': 'Las llaves de acceso necesitan HTTPS y la dirección pública del servidor.',
  'passkeys.add': 'Añadir una llave de acceso',
  'passkeys.lastUsed': 'Último uso',
  'passkeys.never': 'Nunca',
  'passkeys.removeTitle': '¿Quitar esta llave de acceso?',
  'passkeys.removeText': '«{name}» ya no servirá para iniciar sesión. Quítela también del dispositivo.',
  'passkeys.signIn': 'Iniciar sesión con una llave de acceso',
  'passkeys.failed': 'El navegador no ha terminado. Inténtelo de nuevo.',
  'passkeys.refused': 'Esta llave de acceso no se conoce aquí. Inicie sesión con el correo y la contraseña.',
  'invite.sendMail': 'Enviar el enlace también por correo',
  'invite.mailed':
    'El enlace va de camino a {email}. También puede enviarlo usted: se muestra una vez, sirve una vez y caduca el {time}.',
};
