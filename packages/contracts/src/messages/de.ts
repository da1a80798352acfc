import type { ErrorCatalogue } from './describe-error.js';

export const de: ErrorCatalogue = {
  codes: {
    INVALID_REQUEST: 'Die Anfrage ist ungültig.',
    USAGE_LIMIT:
      'Die Organisation hat ihr Limit erreicht. Löschen Sie etwas, oder erhöhen Sie das Limit, und versuchen Sie es dann erneut.',
    UNAUTHORIZED: 'Der API-Schlüssel fehlt oder ist ungültig. Melden Sie sich erneut an.',
    FORBIDDEN: 'Dieser API-Schlüssel hat nicht die nötigen Rechte.',
    NOT_FOUND: 'Das gibt es nicht, oder es wurde gelöscht.',
    CONFLICT: 'Das passt nicht zum jetzigen Zustand. Laden Sie die Seite neu, und versuchen Sie es erneut.',
    GONE: 'Diese Fassung ist nicht mehr gespeichert.',
    PAYLOAD_TOO_LARGE: 'Das ist größer, als diese Installation erlaubt.',
    UNSUPPORTED_MEDIA_TYPE: 'Diese Art von Datei kann nicht gelesen werden.',
    RATE_LIMIT: 'Das waren zu viele Anfragen. Warten Sie kurz, und versuchen Sie es dann erneut.',
    ANSWER_INTERRUPTED: 'Der Server wurde beendet, während er diese Antwort schrieb. Fragen Sie noch einmal.',
    UPSTREAM_UNAVAILABLE: 'Ein benötigter Dienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    CONTENT_DAMAGED:
      'Der gespeicherte Inhalt ist beschädigt. Laden Sie ihn erneut hoch, oder bitten Sie den Betreiber, „citewell doctor“ auszuführen.',
    EMPTY_ANSWER:
      'Das Sprachmodell hat keine Antwort geschrieben. Fragen Sie noch einmal, oder bitten Sie den Betreiber, das Modell zu prüfen.',
    OWN_MODEL_FAILED:
      'Das Sprachmodell Ihrer Organisation antwortet nicht oder lehnt ab. Eine Administratorin oder ein Administrator kann es unter „Einstellungen“, „Modelle“ prüfen.',
    STORAGE_FULL:
      'Der Speicher dieser Installation ist voll. Löschen Sie etwas, oder bitten Sie den Betreiber um mehr Speicher, und versuchen Sie es dann erneut.',
    INTERNAL:
      'Ein interner Fehler ist aufgetreten. Versuchen Sie es erneut. Bleibt der Fehler bestehen, wenden Sie sich an den Betreiber.',
    NETWORK: 'Der Server antwortet nicht. Prüfen Sie, ob Citewell läuft, und versuchen Sie es dann erneut.',
    TIMEOUT: 'Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
    STREAM_INCOMPLETE: 'Die Verbindung wurde unterbrochen. Versuchen Sie es erneut.',
    INVALID_RESPONSE: 'Die Antwort kommt nicht von Citewell. Prüfen Sie die Adresse.',
    CORRUPT_FILE:
      'Die Datei ist beschädigt oder unvollständig. Öffnen Sie sie auf Ihrem Computer, speichern Sie sie neu, und laden Sie die neue Datei hoch.',
    PASSWORD_REQUIRED:
      'Die Datei ist durch ein Passwort geschützt. Speichern Sie sie ohne Passwort, und laden Sie sie erneut hoch.',
    OCR_REQUIRED:
      'Die Datei enthält Bilder von Text, aber keinen Text. Lassen Sie den Text erkennen (OCR), und laden Sie das Ergebnis hoch.',
    LANGUAGE_MISSING:
      'Der Texterkennung fehlt die Sprache einiger Seiten. Fügen Sie die Sprache auf dem Server hinzu, und synchronisieren Sie das Dokument neu.',
    EMPTY_DOCUMENT:
      'Im Dokument wurde kein Text gefunden. Prüfen Sie, ob es Text enthält, und laden Sie es dann erneut hoch, oder synchronisieren Sie es neu.',
    UNSUPPORTED_FILE:
      'Diese Installation kann Inhalte dieser Art nicht lesen. Speichern Sie sie als unterstützten Dateityp, und laden Sie sie hoch.',
    TOO_COMPLEX:
      'Das Dokument ist größer oder tiefer verschachtelt, als diese Installation erlaubt. Teilen Sie es auf, und laden Sie die Teile hoch.',
    PARSE_TIMEOUT:
      'Das Lesen des Dokuments hat länger gedauert, als diese Installation erlaubt. Teilen Sie es auf, und laden Sie die Teile hoch.',
    PARSE_MEMORY:
      'Das Lesen des Dokuments hat mehr Arbeitsspeicher benötigt, als diese Installation erlaubt. Teilen Sie es auf, und laden Sie die Teile hoch.',
    PARSER_CRASHED:
      'Das Leseprogramm für diesen Dateityp ist an der Datei abgestürzt. Speichern Sie sie mit einem anderen Programm, und laden Sie sie erneut hoch.',
    ADDRESS_BLOCKED:
      'Die Adresse liegt in einem privaten Netz oder hat einen gesperrten Port. Verwenden Sie eine öffentliche Adresse, oder bitten Sie den Betreiber, sie zu erlauben.',
    OFFLINE:
      'Der Server arbeitet offline und erreicht diese Adresse nicht. Speichern Sie die Seite und laden Sie die Datei hoch, oder bitten Sie den Betreiber, die Adresse zu erlauben.',
    FETCH_FAILED:
      'Die Seite konnte nicht abgerufen werden. Prüfen Sie, ob sich die Adresse im Browser öffnet, und synchronisieren Sie dann neu.',
    PAGE_REFUSED:
      'Der Webserver hat den Zugriff auf die Seite verweigert oder hat unter dieser Adresse keine Seite. Prüfen Sie die Adresse im Browser.',
    PAGE_GONE:
      'Der Webserver meldet, dass es die Seite nicht mehr gibt. Sie wurde aus der Suche entfernt. Löschen Sie sie, oder berichtigen Sie ihre Adresse.',
    NOT_A_PAGE:
      'Die Adresse ist eine Sitemap oder ein Feed, keine Seite. Fügen Sie sie als Website hinzu, mit dieser Adresse als Sitemap.',
    NOINDEX:
      'Die Seite bittet Suchmaschinen, sie nicht zu indexieren (noindex), deshalb wurde sie nicht indexiert. Entfernen Sie noindex, um sie aufzunehmen.',
    ROBOTS_DISALLOWED:
      'Die robots.txt des Webservers verbietet diese Seite. Erlauben Sie sie dort, um sie aufzunehmen.',
    RENDER_UNAVAILABLE:
      'Die Seite hat ohne Browser keinen Text, und diese Installation hat keinen Browser. Bitten Sie den Betreiber, Chromium zu installieren.',
    SITE_EMPTY:
      'Unter der Adresse wurde keine Seite gefunden. Prüfen Sie, ob sie sich im Browser öffnet, oder geben Sie die Adresse einer Sitemap an.',
    SITE_FAILED: 'Keine Seite der Website konnte indexiert werden. Lesen Sie die Fehler ihrer Seiten.',
    SOURCE_UNAVAILABLE:
      'Die Quelle antwortet nicht. Ihre Dokumente antworten weiter mit ihrem letzten Stand.',
    SOURCE_DENIED:
      'Die Quelle verweigert den Zugriff. Prüfen Sie Adresse, Zugangsdaten und Rechte und synchronisieren Sie erneut.',
    SOURCE_FAILED:
      'Kein Dokument der Quelle konnte aufgenommen werden. Lesen Sie die Fehler ihrer Dokumente.',
    ARCHIVE_EMPTY:
      'Das Archiv enthält keine Datei, die gelesen werden kann. Fügen Sie Dateien unterstützter Typen hinzu, und laden Sie es erneut hoch.',
    ARCHIVE_FAILED: 'Keine Datei des Archivs konnte indexiert werden. Lesen Sie die Fehler seiner Dateien.',
    PAGE_TOO_LARGE:
      'Die Seite ist größer, als diese Installation erlaubt. Speichern Sie sie als Datei, teilen Sie sie auf, und laden Sie die Teile hoch.',
    RATE_LIMITED:
      'Ein externer Dienst begrenzt die Zahl der Anfragen. Die Arbeit geht nach einer Pause von selbst weiter.',
    MODEL_REFUSED:
      'Das Embedding-Modell hat die Anfrage abgelehnt. Bitten Sie den Betreiber, das Modell und seinen API-Schlüssel zu prüfen.',
    DEPENDENCY_UNAVAILABLE:
      'Ein Dienst dieser Installation war nach mehreren Versuchen nicht erreichbar. Synchronisieren Sie später neu.',
    WORKER_CRASHED:
      'Der Prozess, der dieses Dokument bearbeitet hat, ist mehrmals abgestürzt. Bitten Sie den Betreiber, das Protokoll zu prüfen.',
    CANCELLED: 'Die Synchronisierung wurde abgebrochen. Synchronisieren Sie neu, um fortzufahren.',
    PARTIAL:
      'Einige Seiten oder Dateien konnten nicht indexiert werden; die anderen sind verfügbar. Lesen Sie deren Fehler, und synchronisieren Sie dann neu.',
    MOSTLY_LEFT_OUT:
      'Mehr als ein Drittel des Textes wurde ausgelassen. Vergleichen Sie den gespeicherten Text mit dem Dokument, bevor Sie sich darauf verlassen.',
    GARBLED:
      'Die Schriften einiger Seiten geben ihre Buchstaben nicht an. Deren Text fehlt oder ist falsch. Wenden Sie eine Texterkennung (OCR) an, und laden Sie das Ergebnis hoch.',
    ENCODING_UNCERTAIN:
      'Die Zeichenkodierung der Datei ist unsicher. Wenn der Text unleserlich ist, laden Sie die Datei mit ihrer Kodierung erneut hoch.',
    LINES_SKIPPED:
      'Einige Zeilen der Datei konnten nicht gelesen werden. Berichtigen Sie sie, und laden Sie die Datei erneut hoch.',
    PARTLY_EMBEDDED:
      'Das Embedding-Modell hat einen Teil des Textes abgelehnt. Dieser Teil wird über seine Wörter gefunden, aber nicht über seine Bedeutung.',
    PARTLY_READ:
      'Ein Teil der Datei konnte nicht gelesen werden. Vergleichen Sie den gespeicherten Text mit dem Dokument.',
  },
  urlReasons: {
    EMPTY: 'Sie hat keinen Text.',
    EXCLUDED: 'Sie ist durch die Muster ausgeschlossen.',
    GONE: 'Es gibt sie nicht mehr (404 oder 410).',
    NESTED_TOO_DEEP: 'Die Sitemap ist zu weit unter der ersten.',
    NOINDEX: 'Sie bittet darum, nicht indexiert zu werden (noindex).',
    NOT_A_PAGE: 'Sie ist eine Sitemap oder ein Feed.',
    NOT_A_SITEMAP: 'Sie ist keine Sitemap.',
    NOT_FOUND_PAGE: 'Ihr Server antwortet mit der Seite, die er für nicht vorhandene Adressen zeigt.',
    NOT_RENDERED: 'Ohne Browser hat sie keinen Text, und die Zeit des Abrufs dafür ist verbraucht.',
    REDIRECT: 'Sie leitet zu einer anderen Website weiter.',
    REPEATED: 'Viele Adressen davor haben denselben Text.',
    ROBOTS: 'Die robots.txt der Website verbietet sie.',
    TRUNCATED: 'Die Sitemap endet vorzeitig.',
    UNSUPPORTED: 'Sie ist eine Datei eines Typs, der nicht unterstützt wird.',
  },
  kinds: {
    PDF: 'ein PDF',
    DOCX: 'ein Word-Dokument (.docx)',
    PPTX: 'eine PowerPoint-Präsentation (.pptx)',
    XLSX: 'eine Excel-Arbeitsmappe (.xlsx)',
    EPUB: 'ein EPUB-Buch',
    ODT: 'ein OpenDocument-Text (.odt)',
    ODS: 'eine OpenDocument-Tabelle (.ods)',
    ODP: 'eine OpenDocument-Präsentation (.odp)',
    RTF: 'ein RTF-Dokument',
    HTML: 'eine Webseite (HTML)',
    JSON: 'eine JSON-Datei',
    EMAIL: 'eine E-Mail',
    TEXT: 'reiner Text',
    PICTURE: 'ein Bild',
    ZIP: 'ein ZIP-Archiv',
    OLD_WORD: 'ein Word-Dokument im alten Format (.doc)',
    OLD_EXCEL: 'eine Excel-Arbeitsmappe in einem Binärformat (.xls, .xlsb)',
    OLD_POWERPOINT: 'eine PowerPoint-Präsentation im alten Format (.ppt)',
    OLD_OFFICE: 'eine Datei in einem alten Office-Format',
    OPEN_SPREADSHEET: 'eine flache oder ältere OpenDocument-Tabelle (.fods, .sxc)',
    OPEN_PRESENTATION: 'eine flache oder ältere OpenDocument-Präsentation (.fodp, .sxi)',
    PAGES: 'ein Pages-Dokument von Apple',
    NUMBERS: 'eine Numbers-Tabelle von Apple',
    KEYNOTE: 'eine Keynote-Präsentation von Apple',
    WORD_PROCESSOR: 'ein Dokument einer anderen Textverarbeitung',
    OUTLOOK: 'eine Nachricht oder ein Postfach von Outlook (.msg, .pst)',
    NOTEBOOK: 'ein OneNote-Notizbuch',
    DRAWING: 'eine Zeichnung',
    PRINT_FILE: 'eine Druckdatei (PostScript, XPS, DjVu)',
    EBOOK: 'ein E-Book in einem anderen Format als EPUB',
    IMAGE: 'ein Bild in einem Format, das nicht unterstützt wird',
    AUDIO: 'eine Tonaufnahme',
    VIDEO: 'ein Video',
    ARCHIVE: 'ein Archiv in einem anderen Format als ZIP',
    DATABASE: 'eine Datenbank',
    PROGRAM: 'ein Programm',
    FONT: 'eine Schriftart',
    XML: 'eine XML-Datei',
    ENCRYPTED: 'eine verschlüsselte Datei',
    INCOMPLETE: 'eine unvollständige ZIP- oder Office-Datei',
    BINARY: 'eine Binärdatei unbekannter Art',
  },
  advice: {
    SAVE_AS_DOCX:
      'Öffnen Sie sie in ihrem Programm oder in LibreOffice, speichern Sie sie als .docx, und laden Sie die neue Datei hoch.',
    SAVE_AS_XLSX:
      'Öffnen Sie sie in ihrem Programm oder in LibreOffice, speichern Sie sie als .xlsx, und laden Sie die neue Datei hoch.',
    SAVE_AS_PPTX:
      'Öffnen Sie sie in ihrem Programm oder in LibreOffice, speichern Sie sie als .pptx oder PDF, und laden Sie die neue Datei hoch.',
    EXPORT_AS_PDF:
      'Öffnen Sie sie in ihrem Programm, exportieren Sie sie als PDF, und laden Sie die neue Datei hoch.',
    EXPORT_AS_CSV: 'Exportieren Sie ihre Tabellen als CSV oder .xlsx, und laden Sie diese hoch.',
    SAVE_AS_EML: 'Speichern Sie die Nachrichten als .eml oder als Text, und laden Sie diese hoch.',
    CONVERT_TO_EPUB: 'Wandeln Sie sie in EPUB oder PDF um, und laden Sie die neue Datei hoch.',
    SAVE_AS_PICTURE:
      'Wenn sie Text zeigt, speichern Sie sie als PNG oder JPEG, und laden Sie die neue Datei hoch.',
    TRANSCRIBE: 'Laden Sie eine Abschrift als Text hoch.',
    UNPACK: 'Entpacken Sie sie, und laden Sie ihre Dateien hoch, oder packen Sie sie als ZIP.',
    REMOVE_PASSWORD: 'Speichern Sie sie unverschlüsselt, und laden Sie die neue Datei hoch.',
    ALLOW_EXTENSION:
      'Speichern Sie sie als Text (.txt). Ein Administrator kann ihre Endung auch mit EXTRA_FILE_TYPES erlauben.',
    GET_AGAIN: 'Kopieren oder laden Sie sie noch einmal herunter, und laden Sie die neue Datei hoch.',
    ONLY_DOCUMENTS: 'Laden Sie Dokumente mit Text hoch.',
    SAVE_AS_TEXT: 'Speichern Sie sie als PDF, .docx oder Text, und laden Sie die neue Datei hoch.',
  },
  refusals: {
    EMPTY_FILE:
      'Die Datei ist leer: Sie hat 0 Bytes. Kopieren oder laden Sie sie noch einmal herunter, und laden Sie die neue Datei hoch.',
    UNREADABLE_FILE: 'Die Datei ist {kind} und kann nicht gelesen werden.',
    MISNAMED_FILE: 'Der Name der Datei endet mit .{extension}, aber ihr Inhalt ist {kind}.',
    MISDECLARED_FILE: 'Die Datei wurde als {type} angegeben, aber ihr Inhalt ist {kind}.',
  },
  rename:
    'Wenn Sie das hinzufügen möchten, lassen Sie ihren Namen mit .{extension} enden. Wenn nicht, speichern oder laden Sie die Datei noch einmal herunter.',
  duplicates: {
    SAME_NAME: 'Die Bibliothek hat schon ein Dokument mit diesem Namen.',
    SAME_CONTENT: 'Die Bibliothek hat diese Datei schon, als „{name}“.',
  },
};
