import type { ErrorCatalogue } from './describe-error.js';

export const es: ErrorCatalogue = {
  codes: {
    INVALID_REQUEST: 'La solicitud no es válida.',
    USAGE_LIMIT:
      'La organización ha alcanzado su límite. Elimine algo o aumente el límite y vuelva a intentarlo.',
    UNAUTHORIZED: 'La clave de API falta o no es válida. Inicie sesión de nuevo.',
    FORBIDDEN: 'Esta clave de API no tiene los permisos necesarios.',
    NOT_FOUND: 'No existe o se ha eliminado.',
    CONFLICT: 'El estado actual no lo permite. Vuelva a cargar la página e inténtelo de nuevo.',
    GONE: 'Esta versión ya no se conserva.',
    PAYLOAD_TOO_LARGE: 'El tamaño supera lo que permite esta instalación.',
    UNSUPPORTED_MEDIA_TYPE: 'Este tipo de archivo no se puede leer.',
    RATE_LIMIT: 'Demasiadas solicitudes. Espere un momento y vuelva a intentarlo.',
    ANSWER_INTERRUPTED: 'El servidor se detuvo mientras escribía esta respuesta. Vuelva a preguntar.',
    UPSTREAM_UNAVAILABLE: 'Un servicio necesario no está disponible. Vuelva a intentarlo en un momento.',
    CONTENT_DAMAGED:
      'El contenido guardado está dañado. Súbalo de nuevo o pida al operador que ejecute «citewell doctor».',
    EMPTY_ANSWER:
      'El modelo de lenguaje no escribió ninguna respuesta. Pregunte de nuevo o pida al operador que revise el modelo.',
    OWN_MODEL_FAILED:
      'El modelo de su organización no responde o rechaza la solicitud. Un administrador puede comprobarlo en «Ajustes», «Modelos».',
    STORAGE_FULL:
      'El almacenamiento de esta instalación está lleno. Elimine algo o pida más espacio al operador y vuelva a intentarlo.',
    INTERNAL: 'Se produjo un error interno. Vuelva a intentarlo. Si el error persiste, avise al operador.',
    NETWORK: 'El servidor no responde. Compruebe que Citewell esté en marcha y vuelva a intentarlo.',
    TIMEOUT: 'El servidor no respondió a tiempo. Vuelva a intentarlo.',
    STREAM_INCOMPLETE: 'Se interrumpió la conexión. Vuelva a intentarlo.',
    INVALID_RESPONSE: 'La respuesta no es de Citewell. Compruebe la dirección.',
    CORRUPT_FILE:
      'El archivo está dañado o incompleto. Ábralo en su ordenador, guárdelo de nuevo y suba el archivo nuevo.',
    PASSWORD_REQUIRED:
      'El archivo está protegido con una contraseña. Guárdelo sin contraseña y súbalo de nuevo.',
    OCR_REQUIRED:
      'El archivo contiene imágenes de texto, pero no texto. Aplique reconocimiento de texto (OCR) y suba el resultado.',
    LANGUAGE_MISSING:
      'Al reconocimiento de texto le falta el idioma de algunas páginas. Añada el idioma al servidor y vuelva a sincronizar el documento.',
    EMPTY_DOCUMENT:
      'No se encontró texto en el documento. Compruebe que contenga texto y súbalo o sincronícelo de nuevo.',
    UNSUPPORTED_FILE:
      'Esta instalación no puede leer este tipo de contenido. Guárdelo en un formato admitido y súbalo.',
    TOO_COMPLEX:
      'El documento es más grande o tiene más niveles de los que permite esta instalación. Divídalo y suba las partes.',
    PARSE_TIMEOUT:
      'Leer el documento tardó más de lo que permite esta instalación. Divídalo y suba las partes.',
    PARSE_MEMORY:
      'Leer el documento necesitó más memoria de la que permite esta instalación. Divídalo y suba las partes.',
    PARSER_CRASHED:
      'El lector de este tipo de archivo falló con el archivo. Guárdelo con otro programa y súbalo de nuevo.',
    ADDRESS_BLOCKED:
      'La dirección está en una red privada o usa un puerto bloqueado. Use una dirección pública o pida al operador que la permita.',
    OFFLINE:
      'El servidor trabaja sin conexión y no accede a esta dirección. Guarde la página y suba el archivo, o pida al operador que permita la dirección.',
    FETCH_FAILED:
      'No se pudo obtener la página. Compruebe que la dirección se abra en un navegador y vuelva a sincronizar.',
    PAGE_REFUSED:
      'El servidor web denegó el acceso a la página o no tiene ninguna página en esta dirección. Compruebe la dirección en un navegador.',
    PAGE_GONE:
      'El servidor web indica que la página ya no existe. Se ha quitado de la búsqueda. Elimínela o corrija su dirección.',
    NOT_A_PAGE:
      'La dirección es un mapa del sitio o un canal, no una página. Añádala como sitio web, con esta dirección como mapa del sitio.',
    NOINDEX:
      'La página pide a los buscadores que no la indexen (noindex), por lo que no se ha indexado. Quite noindex para incluirla.',
    ROBOTS_DISALLOWED:
      'El archivo robots.txt del servidor web prohíbe esta página. Permítala en robots.txt para incluirla.',
    RENDER_UNAVAILABLE:
      'La página no tiene texto sin un navegador, y esta instalación no tiene navegador. Pida al operador que instale Chromium.',
    SITE_EMPTY:
      'No se encontró ninguna página en la dirección. Compruebe que se abra en un navegador o indique la dirección de un mapa del sitio.',
    SITE_FAILED: 'No se pudo indexar ninguna página del sitio web. Lea los errores de sus páginas.',
    SOURCE_UNAVAILABLE: 'La fuente no responde. Sus documentos siguen respondiendo como estaban.',
    SOURCE_DENIED:
      'La fuente deniega el acceso. Compruebe la dirección, las credenciales y los permisos, y sincronice de nuevo.',
    SOURCE_FAILED: 'No se pudo incorporar ningún documento de la fuente. Lea los errores de sus documentos.',
    ARCHIVE_EMPTY:
      'El archivo comprimido no contiene ningún archivo legible. Añada archivos de tipos admitidos y súbalo de nuevo.',
    ARCHIVE_FAILED:
      'No se pudo indexar ningún archivo del archivo comprimido. Lea los errores de sus archivos.',
    PAGE_TOO_LARGE:
      'La página es más grande de lo que permite esta instalación. Guárdela como archivo, divídala y suba las partes.',
    RATE_LIMITED:
      'Un servicio externo limita el número de solicitudes. El trabajo continúa solo después de una pausa.',
    MODEL_REFUSED:
      'El modelo de embeddings rechazó la solicitud. Pida al operador que compruebe el modelo y su clave de API.',
    DEPENDENCY_UNAVAILABLE:
      'No se pudo acceder a un servicio de esta instalación tras varios intentos. Vuelva a sincronizar más tarde.',
    WORKER_CRASHED:
      'El proceso que trabajaba en este documento falló varias veces. Pida al operador que revise el registro.',
    CANCELLED: 'La sincronización se canceló. Vuelva a sincronizar para continuar.',
    PARTIAL:
      'Algunas páginas o archivos no se pudieron indexar; los demás están disponibles. Lea sus errores y vuelva a sincronizar.',
    MOSTLY_LEFT_OUT:
      'Se ha omitido más de un tercio del texto. Compare el texto guardado con el documento antes de confiar en él.',
    GARBLED:
      'Las fuentes de algunas páginas no indican sus letras, así que su texto falta o es erróneo. Aplique reconocimiento de texto (OCR) y suba el resultado.',
    ENCODING_UNCERTAIN:
      'La codificación de caracteres del archivo es dudosa. Si el texto es ilegible, suba el archivo de nuevo con su codificación.',
    LINES_SKIPPED: 'Algunas líneas del archivo no se pudieron leer. Corríjalas y suba el archivo de nuevo.',
    PARTLY_EMBEDDED:
      'El modelo de embeddings rechazó una parte del texto. Esa parte se encuentra por sus palabras, pero no por su significado.',
    PARTLY_READ: 'Una parte del archivo no se pudo leer. Compare el texto guardado con el documento.',
  },
  urlReasons: {
    EMPTY: 'No tiene texto.',
    EXCLUDED: 'Los patrones la excluyen.',
    GONE: 'Ya no existe (404 o 410).',
    NESTED_TOO_DEEP: 'El mapa del sitio está demasiado lejos del primero.',
    NOINDEX: 'Pide que no se indexe (noindex).',
    NOT_A_PAGE: 'Es un mapa del sitio o un canal.',
    NOT_A_SITEMAP: 'No es un mapa del sitio.',
    NOT_FOUND_PAGE: 'Su servidor responde con la página que muestra para las direcciones que no existen.',
    NOT_RENDERED: 'No tiene texto sin un navegador, y el rastreo ha agotado el tiempo previsto para ello.',
    REDIRECT: 'Redirige a otro sitio.',
    REPEATED: 'Muchas direcciones anteriores tienen el mismo texto.',
    ROBOTS: 'El archivo robots.txt del sitio la prohíbe.',
    TRUNCATED: 'El mapa del sitio está cortado.',
    UNSUPPORTED: 'Es un archivo de un tipo no admitido.',
  },
  kinds: {
    PDF: 'un PDF',
    DOCX: 'un documento de Word (.docx)',
    PPTX: 'una presentación de PowerPoint (.pptx)',
    XLSX: 'un libro de Excel (.xlsx)',
    EPUB: 'un libro EPUB',
    ODT: 'un texto OpenDocument (.odt)',
    ODS: 'una hoja de cálculo OpenDocument (.ods)',
    ODP: 'una presentación OpenDocument (.odp)',
    RTF: 'un documento RTF',
    HTML: 'una página web (HTML)',
    JSON: 'un archivo JSON',
    EMAIL: 'un mensaje de correo',
    TEXT: 'texto sin formato',
    PICTURE: 'una imagen',
    ZIP: 'un archivo ZIP',
    OLD_WORD: 'un documento de Word en el formato antiguo (.doc)',
    OLD_EXCEL: 'un libro de Excel en un formato binario (.xls, .xlsb)',
    OLD_POWERPOINT: 'una presentación de PowerPoint en el formato antiguo (.ppt)',
    OLD_OFFICE: 'un archivo en un formato antiguo de Office',
    OPEN_SPREADSHEET: 'una hoja de cálculo OpenDocument plana o antigua (.fods, .sxc)',
    OPEN_PRESENTATION: 'una presentación OpenDocument plana o antigua (.fodp, .sxi)',
    PAGES: 'un documento de Pages de Apple',
    NUMBERS: 'una hoja de cálculo de Numbers de Apple',
    KEYNOTE: 'una presentación de Keynote de Apple',
    WORD_PROCESSOR: 'un documento de otro procesador de textos',
    OUTLOOK: 'un mensaje o buzón de Outlook (.msg, .pst)',
    NOTEBOOK: 'un bloc de notas de OneNote',
    DRAWING: 'un dibujo',
    PRINT_FILE: 'un archivo de impresión (PostScript, XPS, DjVu)',
    EBOOK: 'un libro electrónico en un formato distinto de EPUB',
    IMAGE: 'una imagen en un formato no admitido',
    AUDIO: 'un archivo de audio',
    VIDEO: 'un vídeo',
    ARCHIVE: 'un archivo comprimido en un formato distinto de ZIP',
    DATABASE: 'una base de datos',
    PROGRAM: 'un programa',
    FONT: 'una fuente tipográfica',
    XML: 'un archivo XML',
    ENCRYPTED: 'un archivo cifrado',
    INCOMPLETE: 'un archivo ZIP o de Office incompleto',
    BINARY: 'un archivo binario de tipo desconocido',
  },
  advice: {
    SAVE_AS_DOCX: 'Ábralo en su programa o en LibreOffice, guárdelo como .docx y suba el archivo nuevo.',
    SAVE_AS_XLSX: 'Ábralo en su programa o en LibreOffice, guárdelo como .xlsx y suba el archivo nuevo.',
    SAVE_AS_PPTX:
      'Ábralo en su programa o en LibreOffice, guárdelo como .pptx o PDF y suba el archivo nuevo.',
    EXPORT_AS_PDF: 'Ábralo en su programa, expórtelo como PDF y suba el archivo nuevo.',
    EXPORT_AS_CSV: 'Exporte sus tablas como CSV o .xlsx y súbalas.',
    SAVE_AS_EML: 'Guarde los mensajes como .eml o como texto y súbalos.',
    CONVERT_TO_EPUB: 'Conviértalo a EPUB o PDF y suba el archivo nuevo.',
    SAVE_AS_PICTURE: 'Si muestra texto, guárdelo como PNG o JPEG y suba el archivo nuevo.',
    TRANSCRIBE: 'Suba una transcripción como texto.',
    UNPACK: 'Descomprímalo y suba sus archivos, o comprímalos como ZIP.',
    REMOVE_PASSWORD: 'Guárdelo sin cifrar y suba el archivo nuevo.',
    ALLOW_EXTENSION:
      'Guárdelo como texto (.txt). Un administrador también puede permitir su extensión con EXTRA_FILE_TYPES.',
    GET_AGAIN: 'Cópielo o descárguelo de nuevo y suba el archivo nuevo.',
    ONLY_DOCUMENTS: 'Suba documentos con texto.',
    SAVE_AS_TEXT: 'Guárdelo como PDF, .docx o texto y suba el archivo nuevo.',
  },
  refusals: {
    EMPTY_FILE:
      'El archivo está vacío: tiene 0 bytes. Cópielo o descárguelo de nuevo y suba el archivo nuevo.',
    UNREADABLE_FILE: 'El archivo es {kind} y no se puede leer.',
    MISNAMED_FILE: 'El nombre del archivo termina en .{extension}, pero su contenido es {kind}.',
    MISDECLARED_FILE: 'El archivo se declaró como {type}, pero su contenido es {kind}.',
  },
  rename:
    'Si eso es lo que quiere añadir, haga que su nombre termine en .{extension}. Si no, guarde o descargue el archivo de nuevo.',
  duplicates: {
    SAME_NAME: 'La biblioteca ya tiene un documento con este nombre.',
    SAME_CONTENT: 'La biblioteca ya tiene este archivo, como «{name}».',
  },
};
