import type { ErrorCatalogue } from './describe-error.js';

export const fr: ErrorCatalogue = {
  codes: {
    INVALID_REQUEST: 'La requête n’est pas valide.',
    USAGE_LIMIT:
      'L’organisation a atteint sa limite. Supprimez quelque chose ou augmentez la limite, puis réessayez.',
    UNAUTHORIZED: 'La clé d’API manque ou n’est pas valide. Connectez-vous de nouveau.',
    FORBIDDEN: 'Cette clé d’API n’a pas les droits nécessaires.',
    NOT_FOUND: 'Cet élément n’existe pas ou a été supprimé.',
    CONFLICT: 'L’état actuel ne permet pas cette action. Rechargez la page, puis réessayez.',
    GONE: 'Cette version n’est plus conservée.',
    PAYLOAD_TOO_LARGE: 'La taille dépasse ce que cette installation permet.',
    UNSUPPORTED_MEDIA_TYPE: 'Ce type de fichier ne peut pas être lu.',
    RATE_LIMIT: 'Trop de requêtes. Attendez un peu, puis réessayez.',
    ANSWER_INTERRUPTED:
      'Le serveur s’est arrêté pendant qu’il écrivait cette réponse. Posez à nouveau la question.',
    UPSTREAM_UNAVAILABLE: 'Un service nécessaire est injoignable. Réessayez dans un instant.',
    CONTENT_DAMAGED:
      'Le contenu enregistré est endommagé. Téléversez-le à nouveau, ou demandez à l’opérateur d’exécuter « citewell doctor ».',
    EMPTY_ANSWER:
      'Le modèle de langage n’a pas écrit de réponse. Reposez la question, ou demandez à l’exploitant de vérifier le modèle.',
    OWN_MODEL_FAILED:
      'Le modèle de votre organisation ne répond pas ou refuse la demande. Un administrateur peut le vérifier dans « Paramètres », « Modèles ».',
    STORAGE_FULL:
      'L’espace de stockage de cette installation est plein. Supprimez quelque chose ou demandez plus d’espace à l’exploitant, puis réessayez.',
    INTERNAL:
      'Une erreur interne s’est produite. Réessayez. Si l’erreur persiste, adressez-vous à l’exploitant.',
    NETWORK: 'Le serveur ne répond pas. Vérifiez que Citewell fonctionne, puis réessayez.',
    TIMEOUT: 'Le serveur n’a pas répondu à temps. Réessayez.',
    STREAM_INCOMPLETE: 'La connexion a été interrompue. Réessayez.',
    INVALID_RESPONSE: 'La réponse ne vient pas de Citewell. Vérifiez l’adresse.',
    CORRUPT_FILE:
      'Le fichier est endommagé ou incomplet. Ouvrez-le sur votre ordinateur, enregistrez-le de nouveau et envoyez le nouveau fichier.',
    PASSWORD_REQUIRED:
      'Le fichier est protégé par un mot de passe. Enregistrez-le sans mot de passe et envoyez-le de nouveau.',
    OCR_REQUIRED:
      'Le fichier contient des images de texte, mais pas de texte. Faites reconnaître le texte (OCR) et envoyez le résultat.',
    LANGUAGE_MISSING:
      'La langue de certaines pages manque à la reconnaissance de texte. Ajoutez la langue au serveur, puis synchronisez de nouveau le document.',
    EMPTY_DOCUMENT:
      'Aucun texte n’a été trouvé dans le document. Vérifiez qu’il contient du texte, puis envoyez-le de nouveau ou resynchronisez-le.',
    UNSUPPORTED_FILE:
      'Cette installation ne peut pas lire ce type de contenu. Enregistrez-le dans un format pris en charge et envoyez-le.',
    TOO_COMPLEX:
      'Le document est plus grand ou plus profondément imbriqué que cette installation ne le permet. Divisez-le et envoyez les parties.',
    PARSE_TIMEOUT:
      'La lecture du document a pris plus de temps que cette installation ne le permet. Divisez-le et envoyez les parties.',
    PARSE_MEMORY:
      'La lecture du document a demandé plus de mémoire que cette installation ne le permet. Divisez-le et envoyez les parties.',
    PARSER_CRASHED:
      'Le lecteur de ce type de fichier s’est arrêté sur ce fichier. Enregistrez-le avec un autre programme et envoyez-le de nouveau.',
    ADDRESS_BLOCKED:
      'L’adresse se trouve dans un réseau privé ou utilise un port bloqué. Utilisez une adresse publique, ou demandez à l’exploitant de l’autoriser.',
    OFFLINE:
      'Le serveur fonctionne hors ligne et n’accède pas à cette adresse. Enregistrez la page et importez le fichier, ou demandez à l’exploitant d’autoriser l’adresse.',
    FETCH_FAILED:
      'La page n’a pas pu être récupérée. Vérifiez que l’adresse s’ouvre dans un navigateur, puis resynchronisez.',
    PAGE_REFUSED:
      'Le serveur web a refusé l’accès à la page, ou n’a pas de page à cette adresse. Vérifiez l’adresse dans un navigateur.',
    PAGE_GONE:
      'Le serveur web indique que la page n’existe plus. Elle a été retirée de la recherche. Supprimez-la ou corrigez son adresse.',
    NOT_A_PAGE:
      'L’adresse est un plan de site ou un flux, pas une page. Ajoutez-la comme site, avec cette adresse comme plan de site.',
    NOINDEX:
      'La page demande aux moteurs de recherche de ne pas l’indexer (noindex), elle n’a donc pas été indexée. Retirez noindex pour l’inclure.',
    ROBOTS_DISALLOWED:
      'Le fichier robots.txt du serveur web interdit cette page. Autorisez-la dans robots.txt pour l’inclure.',
    RENDER_UNAVAILABLE:
      'Sans navigateur, la page n’a pas de texte, et cette installation n’a pas de navigateur. Demandez à l’exploitant d’installer Chromium.',
    SITE_EMPTY:
      'Aucune page n’a été trouvée à cette adresse. Vérifiez qu’elle s’ouvre dans un navigateur, ou indiquez l’adresse d’un plan de site.',
    SITE_FAILED: 'Aucune page du site n’a pu être indexée. Lisez les erreurs de ses pages.',
    SOURCE_UNAVAILABLE: 'La source ne répond pas. Ses documents continuent de répondre tels qu’ils étaient.',
    SOURCE_DENIED:
      'La source refuse l’accès. Vérifiez l’adresse, les identifiants et les droits, puis synchronisez à nouveau.',
    SOURCE_FAILED: 'Aucun document de la source n’a pu être intégré. Lisez les erreurs de ses documents.',
    ARCHIVE_EMPTY:
      'L’archive ne contient aucun fichier lisible. Ajoutez des fichiers de types pris en charge et envoyez-la de nouveau.',
    ARCHIVE_FAILED: 'Aucun fichier de l’archive n’a pu être indexé. Lisez les erreurs de ses fichiers.',
    PAGE_TOO_LARGE:
      'La page est plus grande que cette installation ne le permet. Enregistrez-la comme fichier, divisez-la et envoyez les parties.',
    RATE_LIMITED:
      'Un service externe limite le nombre de requêtes. Le travail reprend automatiquement après une pause.',
    MODEL_REFUSED:
      'Le modèle d’embeddings a refusé la requête. Demandez à l’exploitant de vérifier le modèle et sa clé d’API.',
    DEPENDENCY_UNAVAILABLE:
      'Un service de cette installation est resté injoignable après plusieurs essais. Resynchronisez plus tard.',
    WORKER_CRASHED:
      'Le processus qui traitait ce document s’est arrêté plusieurs fois. Demandez à l’exploitant de consulter le journal.',
    CANCELLED: 'La synchronisation a été annulée. Resynchronisez pour continuer.',
    PARTIAL:
      'Certaines pages ou certains fichiers n’ont pas pu être indexés ; les autres sont disponibles. Lisez leurs erreurs, puis resynchronisez.',
    MOSTLY_LEFT_OUT:
      'Plus d’un tiers du texte a été laissé de côté. Comparez le texte enregistré avec le document avant de vous y fier.',
    GARBLED:
      'Les polices de certaines pages n’indiquent pas leurs lettres : leur texte manque ou est faux. Appliquez une reconnaissance de texte (OCR) et envoyez le résultat.',
    ENCODING_UNCERTAIN:
      'Le codage des caractères du fichier est incertain. Si le texte est illisible, envoyez de nouveau le fichier avec son codage.',
    LINES_SKIPPED:
      'Certaines lignes du fichier n’ont pas pu être lues. Corrigez-les et envoyez de nouveau le fichier.',
    PARTLY_EMBEDDED:
      'Le modèle d’embeddings a refusé une partie du texte. Cette partie est trouvée par ses mots, mais pas par son sens.',
    PARTLY_READ: 'Une partie du fichier n’a pas pu être lue. Comparez le texte enregistré avec le document.',
  },
  urlReasons: {
    EMPTY: 'Elle n’a pas de texte.',
    EXCLUDED: 'Elle est exclue par les motifs.',
    GONE: 'Elle n’existe plus (404 ou 410).',
    NESTED_TOO_DEEP: 'Le plan de site est trop éloigné du premier.',
    NOINDEX: 'Elle demande de ne pas être indexée (noindex).',
    NOT_A_PAGE: 'C’est un plan de site ou un flux.',
    NOT_A_SITEMAP: 'Ce n’est pas un plan de site.',
    NOT_FOUND_PAGE: 'Son serveur répond par la page qu’il affiche pour les adresses qui n’existent pas.',
    NOT_RENDERED:
      'Elle n’a pas de texte sans navigateur, et l’exploration a épuisé le temps prévu pour cela.',
    REDIRECT: 'Elle redirige vers un autre site.',
    REPEATED: 'De nombreuses adresses précédentes ont le même texte.',
    ROBOTS: 'Le fichier robots.txt du site l’interdit.',
    TRUNCATED: 'Le plan de site est tronqué.',
    UNSUPPORTED: 'C’est un fichier d’un type non pris en charge.',
  },
  kinds: {
    PDF: 'un PDF',
    DOCX: 'un document Word (.docx)',
    PPTX: 'une présentation PowerPoint (.pptx)',
    XLSX: 'un classeur Excel (.xlsx)',
    EPUB: 'un livre EPUB',
    ODT: 'un texte OpenDocument (.odt)',
    ODS: 'une feuille de calcul OpenDocument (.ods)',
    ODP: 'une présentation OpenDocument (.odp)',
    RTF: 'un document RTF',
    HTML: 'une page web (HTML)',
    JSON: 'du JSON',
    EMAIL: 'un e-mail',
    TEXT: 'du texte brut',
    PICTURE: 'une image',
    ZIP: 'une archive ZIP',
    OLD_WORD: 'un document Word dans l’ancien format (.doc)',
    OLD_EXCEL: 'un classeur Excel dans un format binaire (.xls, .xlsb)',
    OLD_POWERPOINT: 'une présentation PowerPoint dans l’ancien format (.ppt)',
    OLD_OFFICE: 'un fichier dans un ancien format d’Office',
    OPEN_SPREADSHEET: 'une feuille de calcul OpenDocument plate ou ancienne (.fods, .sxc)',
    OPEN_PRESENTATION: 'une présentation OpenDocument plate ou ancienne (.fodp, .sxi)',
    PAGES: 'un document Pages d’Apple',
    NUMBERS: 'une feuille de calcul Numbers d’Apple',
    KEYNOTE: 'une présentation Keynote d’Apple',
    WORD_PROCESSOR: 'un document d’un autre traitement de texte',
    OUTLOOK: 'un message ou une boîte de messagerie Outlook (.msg, .pst)',
    NOTEBOOK: 'un bloc-notes OneNote',
    DRAWING: 'un dessin',
    PRINT_FILE: 'un fichier d’impression (PostScript, XPS, DjVu)',
    EBOOK: 'un livre numérique dans un format autre qu’EPUB',
    IMAGE: 'une image dans un format non pris en charge',
    AUDIO: 'un fichier audio',
    VIDEO: 'une vidéo',
    ARCHIVE: 'une archive dans un format autre que ZIP',
    DATABASE: 'une base de données',
    PROGRAM: 'un programme',
    FONT: 'une police de caractères',
    XML: 'un fichier XML',
    ENCRYPTED: 'un fichier chiffré',
    INCOMPLETE: 'un fichier ZIP ou Office incomplet',
    BINARY: 'un fichier binaire de type inconnu',
  },
  advice: {
    SAVE_AS_DOCX:
      'Ouvrez-le dans son programme ou dans LibreOffice, enregistrez-le en .docx et envoyez le nouveau fichier.',
    SAVE_AS_XLSX:
      'Ouvrez-le dans son programme ou dans LibreOffice, enregistrez-le en .xlsx et envoyez le nouveau fichier.',
    SAVE_AS_PPTX:
      'Ouvrez-le dans son programme ou dans LibreOffice, enregistrez-le en .pptx ou en PDF et envoyez le nouveau fichier.',
    EXPORT_AS_PDF: 'Ouvrez-le dans son programme, exportez-le en PDF et envoyez le nouveau fichier.',
    EXPORT_AS_CSV: 'Exportez ses tableaux en CSV ou en .xlsx et envoyez-les.',
    SAVE_AS_EML: 'Enregistrez les messages en .eml ou en texte et envoyez-les.',
    CONVERT_TO_EPUB: 'Convertissez-le en EPUB ou en PDF et envoyez le nouveau fichier.',
    SAVE_AS_PICTURE: 'S’il montre du texte, enregistrez-le en PNG ou en JPEG et envoyez le nouveau fichier.',
    TRANSCRIBE: 'Envoyez une transcription sous forme de texte.',
    UNPACK: 'Décompressez-le et envoyez ses fichiers, ou compressez-les en ZIP.',
    REMOVE_PASSWORD: 'Enregistrez-le sans chiffrement et envoyez le nouveau fichier.',
    ALLOW_EXTENSION:
      'Enregistrez-le en texte (.txt). Un administrateur peut aussi autoriser son extension avec EXTRA_FILE_TYPES.',
    GET_AGAIN: 'Copiez-le ou téléchargez-le de nouveau, puis envoyez le nouveau fichier.',
    ONLY_DOCUMENTS: 'Envoyez des documents avec du texte.',
    SAVE_AS_TEXT: 'Enregistrez-le en PDF, en .docx ou en texte et envoyez le nouveau fichier.',
  },
  refusals: {
    EMPTY_FILE:
      'Le fichier est vide : il a 0 octet. Copiez-le ou téléchargez-le de nouveau, puis envoyez le nouveau fichier.',
    UNREADABLE_FILE: 'Ce fichier est {kind} et ne peut pas être lu.',
    MISNAMED_FILE: 'Le nom du fichier se termine par .{extension}, mais son contenu est {kind}.',
    MISDECLARED_FILE: 'Le fichier a été déclaré comme {type}, mais son contenu est {kind}.',
  },
  rename:
    'Si c’est bien ce que vous voulez ajouter, faites terminer son nom par .{extension}. Sinon, enregistrez ou téléchargez de nouveau le fichier.',
  duplicates: {
    SAME_NAME: 'La bibliothèque a déjà un document de ce nom.',
    SAME_CONTENT: 'La bibliothèque a déjà ce fichier, sous le nom « {name} ».',
  },
};
