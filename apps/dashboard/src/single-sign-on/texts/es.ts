import type { texts as english } from './en.js';

export const texts: Record<keyof typeof english, string> = {
  text: 'Las personas inician sesión con las cuentas de su empresa, en un proveedor de OpenID Connect como Keycloak, Entra ID, Okta o Google.',
  guide: 'La guía docs/single-sign-on.md dice qué hay que introducir allí.',
  add: 'Añadir un proveedor',
  none: 'Todavía no hay ningún proveedor.',
  name: 'Nombre en el botón de inicio de sesión',
  issuer: 'Emisor (issuer)',
  issuerHint: 'La dirección del proveedor, por ejemplo https://login.example.com/realms/example',
  unfinished: 'Falta el identificador del cliente',
  ready: 'En la página de inicio de sesión',
  redirectUri: 'Dirección de redirección',
  redirectHint:
    'Registre en el proveedor una aplicación con esta dirección. Después introduzca aquí su identificador y su secreto.',
  clientId: 'Identificador del cliente',
  clientSecret: 'Secreto del cliente',
  secretKept: 'Hay un secreto guardado. Deje el campo vacío para conservarlo.',
  scopes: 'Scopes',
  scopesHint:
    'Con offline_access, las sesiones terminan pocos minutos después de que una persona se elimine en el proveedor.',
  domains: 'Dominios de correo',
  domainsHint: 'Separados por comas, por ejemplo example.com. Se rechazan las demás direcciones.',
  defaultRole: 'Rol de las personas sin grupo asignado',
  noDefault: 'Ninguno: solo entran los invitados y los grupos asignados',
  groupsClaim: 'Claim con los grupos',
  mapping: 'Roles por grupo',
  group: 'Grupo',
  addGroup: 'Añadir un grupo',
  removeGroup: 'Quitar este grupo',
  edit: 'Editar',
  test: 'Probar',
  works: 'El proveedor responde.',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar este proveedor?',
  removeText:
    'Nadie podrá iniciar sesión en {name}, y quienes lo hicieron quedan desconectados. Las personas siguen en la lista.',
  signInAt: 'Iniciar sesión con {name}',
  byEmail: 'Inicio de sesión único',
  or: 'o con correo y contraseña',
  enterEmail: 'Introduzca primero su correo electrónico arriba.',
  noProvider: 'No hay inicio de sesión único para este correo electrónico.',
  profile: 'Inicia sesión en {name}, que guarda su correo electrónico y su contraseña.',
  scimTitle: 'Personas y grupos por SCIM',
  scimText:
    'El proveedor crea, desactiva y elimina personas, y mantiene los grupos. Quien se desactiva queda fuera en cinco segundos. Introduzca allí esta dirección y un token.',
  scimAddress: 'Dirección',
  scimCreate: 'Crear un token',
  scimToken: 'Token de acceso',
  scimOnce:
    'El token solo se muestra una vez. Es una clave de API con el permiso scim, que se revoca en las claves de API.',
  'failed.cancelled': 'Se canceló el inicio de sesión.',
  'failed.expired':
    'El inicio de sesión tardó demasiado, o empezó en otro navegador o en otra dirección. Inténtelo de nuevo.',
  'failed.not-begun-here': 'El inicio de sesión debe empezar en esta página. Use el botón del proveedor.',
  'failed.provider-unavailable': 'No se puede acceder al proveedor. Inténtelo más tarde.',
  'failed.provider-refused':
    'El proveedor rechazó el inicio de sesión. Pida a un propietario que compruebe el identificador, el secreto y la dirección de redirección.',
  'failed.invalid-response': 'La respuesta del proveedor no es válida. Avise a un propietario.',
  'failed.email-missing':
    'El proveedor no ha enviado una dirección de correo verificada. Avise a un propietario.',
  'failed.email-taken': 'Otra persona tiene este correo electrónico. Avise a un propietario.',
  'failed.other-domain': 'Las personas con esta dirección de correo no pueden iniciar sesión aquí.',
  'failed.not-invited': 'Todavía no tiene acceso. Pida una invitación a un propietario.',
  'failed.owner-exists': 'Un propietario tiene este correo electrónico. Inicie sesión con su contraseña.',
  'failed.groups-unknown':
    'El proveedor ha omitido sus grupos porque son demasiados. Avise a un propietario.',
};
