import type { access as english } from './en.js';

export const access: Record<keyof typeof english, string> = {
  'groups.title': 'Grupos',
  'groups.text':
    'Las personas de un grupo pueden leer las mismas bibliotecas. Abra una biblioteca para elegir sus grupos.',
  'groups.new': 'Grupo nuevo',
  'groups.none': 'Todavía no hay ningún grupo.',
  'groups.name': 'Nombre del grupo',
  'groups.create': 'Crear el grupo',
  'groups.rename': 'Cambiar el nombre',
  'groups.members': 'Miembros',
  'groups.membersOf': 'Miembros de {name}',
  'groups.noMembers': 'Todavía no hay nadie en este grupo.',
  'groups.addMember': 'Buscar una persona para añadirla',
  'groups.external': 'Lo gestiona el proveedor de identidad',
  'groups.deleteTitle': '¿Eliminar este grupo?',
  'groups.deleteText': 'Los miembros de «{name}» se quedan, y pierden lo que podían leer como miembros.',
  'groups.deleteConfirm': 'Eliminar el grupo',
  'readers.title': 'Quién puede leer',
  'readers.text':
    'Los propietarios y las claves de API leen todas las bibliotecas, y los visitantes de un agente público reciben respuestas de todas las suyas.',
  'readers.everyone': 'Toda la organización',
  'readers.chosen': 'Personas y grupos elegidos',
  'readers.search': 'Buscar personas y grupos para añadirlos',
  'readers.notFound': 'No se encontró a nadie.',
  'readers.none': 'No se ha elegido a nadie: solo la leen los propietarios.',
  'readers.group': 'Grupo',
  'readers.you': 'usted',
  'readers.add': 'Añadir {name}',
  'readers.remove': 'Quitar {name}',
  'readers.restricted': 'Solo para personas y grupos elegidos',
};
