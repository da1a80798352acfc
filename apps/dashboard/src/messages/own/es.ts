import type { own as english } from './en.js';

export const own: Record<keyof typeof english, string> = {
  'own.list': 'Conversaciones',
  'own.open': 'Mostrar conversaciones',
  'own.search': 'Buscar en sus preguntas',
  'own.none': 'Todavía no hay conversaciones.',
  'own.notFound': 'No se encontró nada.',
  'own.today': 'Hoy',
  'own.yesterday': 'Ayer',
  'own.earlier': 'Antes',
  'own.actions': 'Acciones de «{title}»',
  'own.rename': 'Cambiar el nombre',
  'own.newName': 'Nombre de la conversación',
  'own.newNameHint': 'Vacío: la primera pregunta.',
  'own.save': 'Guardar',
  'own.delete': 'Eliminar',
  'own.deleteTitle': '¿Eliminar esta conversación?',
  'own.deleteText': '«{title}» se elimina para siempre, y un enlace a ella deja de funcionar.',
  'own.share': 'Compartir',
  'own.shareText':
    'Las personas de «{organization}» que tengan este enlace pueden leer las preguntas y respuestas hasta ahora, si pueden leer todos los documentos en los que se basan las respuestas.',
  'own.shareLater': 'Las preguntas posteriores no se comparten hasta que vuelva a compartir.',
  'own.link': 'Enlace',
  'own.endShare': 'Anular el enlace',
  'own.sharedBadge': 'Compartida',
  'own.sharedBy': 'Compartida por {name}, {time}',
  'own.sharedBySomebody': 'Compartida por un colega, {time}',
  'own.sharedGone': 'Este enlace no funciona',
  'own.sharedGoneText':
    'Se anuló, o la conversación cita documentos que usted no puede leer o que se eliminaron. Pregunte a quien lo envió.',
  'own.told':
    'Los propietarios de «{organization}» pueden leer las conversaciones que empezaron desde el {time}.',
  'own.setting': 'Los propietarios leen las conversaciones',
  'own.settingText':
    'Abre las conversaciones de las personas a los propietarios y a las claves de API con el permiso admin: las que empiecen desde ahora. Se avisa en Preguntar y en el perfil. Los propietarios siempre ven las preguntas sin respuesta y las valoraciones, sin nombres.',
  'own.feedback': 'Valoraciones de todos',
  'own.feedbackText':
    'Preguntas sin respuesta y respuestas valoradas, también de conversaciones que usted no lee. No se muestran nombres.',
  'own.feedbackNone': 'Ninguna valoración ni pregunta sin respuesta.',
  'own.tokens': 'Tokens de acceso personal',
  'own.tokensText':
    'Un programa que trabaja para usted envía un token en lugar de una clave de API. Ve lo que usted ve.',
  'own.newToken': 'Nuevo token',
  'own.tokenCreated': 'Copie el token ahora. No se vuelve a mostrar.',
  'own.createToken': 'Crear token',
  'own.revokeToken': 'Revocar el token',
  'own.revokeTitle': '¿Revocar este token?',
  'own.tokenOf': 'Token de {name}',
  'own.somebody': 'una persona sin nombre',
};
