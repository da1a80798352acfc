import type { ErrorCatalogue } from './error-catalogue.js';

export const ja: ErrorCatalogue = {
  codes: {
    INVALID_REQUEST: 'リクエストが正しくありません。',
    USAGE_LIMIT: '組織の上限に達しました。何かを削除するか上限を引き上げてから、もう一度お試しください。',
    UNAUTHORIZED: 'API キーがないか、正しくありません。もう一度サインインしてください。',
    FORBIDDEN: 'この API キーには必要な権限がありません。',
    NOT_FOUND: '存在しないか、削除されています。',
    CONFLICT: '現在の状態では実行できません。ページを再読み込みして、もう一度お試しください。',
    GONE: 'この版はもう保存されていません。',
    PAYLOAD_TOO_LARGE: 'このサーバーで許可されている大きさを超えています。',
    UNSUPPORTED_MEDIA_TYPE: 'この種類のファイルは読み取れません。',
    RATE_LIMIT: 'リクエストが多すぎます。少し待ってから、もう一度お試しください。',
    ANSWER_INTERRUPTED: '回答の作成中にサーバーが停止しました。もう一度質問してください。',
    UPSTREAM_UNAVAILABLE: '必要なサービスに接続できません。少し待ってから、もう一度お試しください。',
    CONTENT_DAMAGED:
      '保存された内容が破損しています。もう一度アップロードするか、「citewell doctor」の実行を運用担当者に依頼してください。',
    STORAGE_FULL:
      'このサーバーの保存領域がいっぱいです。何かを削除するか、運用者に領域の追加を依頼してから、もう一度お試しください。',
    INTERNAL:
      '内部エラーが発生しました。もう一度お試しください。エラーが続く場合は、運用者に連絡してください。',
    NETWORK: 'サーバーが応答しません。Citewell が動作していることを確認し、もう一度お試しください。',
    TIMEOUT: 'サーバーが時間内に応答しませんでした。もう一度お試しください。',
    STREAM_INCOMPLETE: '接続が途切れました。もう一度お試しください。',
    INVALID_RESPONSE: '応答が Citewell のものではありません。アドレスを確認してください。',
    CORRUPT_FILE:
      'ファイルが壊れているか、不完全です。お使いのコンピューターで開いて保存し直し、新しいファイルをアップロードしてください。',
    PASSWORD_REQUIRED:
      'ファイルはパスワードで保護されています。パスワードなしで保存し、もう一度アップロードしてください。',
    OCR_REQUIRED:
      'ファイルには文字の画像だけがあり、テキストがありません。文字認識（OCR）を行い、その結果をアップロードしてください。',
    EMPTY_DOCUMENT:
      '資料にテキストが見つかりません。テキストがあることを確認し、もう一度アップロードするか再同期してください。',
    UNSUPPORTED_FILE:
      'この種類の内容は読み取れません。対応しているファイル形式で保存し、アップロードしてください。',
    TOO_COMPLEX:
      '資料が、このサーバーで許可されている大きさまたは階層の深さを超えています。分割してアップロードしてください。',
    PARSE_TIMEOUT:
      '資料の読み取りに、このサーバーで許可されている時間を超えました。分割してアップロードしてください。',
    PARSE_MEMORY:
      '資料の読み取りに、このサーバーで許可されている量を超えるメモリが必要でした。分割してアップロードしてください。',
    PARSER_CRASHED:
      'このファイルの読み取り中にプログラムが停止しました。別のプログラムで保存し、もう一度アップロードしてください。',
    ADDRESS_BLOCKED:
      'アドレスがプライベートネットワーク内にあるか、ブロックされたポートを使っています。公開アドレスを使うか、運用者に許可を依頼してください。',
    FETCH_FAILED:
      'ページを取得できませんでした。ブラウザーで開けるアドレスであることを確認し、再同期してください。',
    PAGE_REFUSED:
      'ウェブサーバーがアクセスを拒否したか、このアドレスにページがありません。ブラウザーでアドレスを確認してください。',
    PAGE_GONE:
      'ウェブサーバーによると、このページはもうありません。検索から外されました。削除するか、アドレスを修正してください。',
    NOT_A_PAGE:
      'アドレスはページではなく、サイトマップまたはフィードです。このアドレスをサイトマップとして、サイトとして追加してください。',
    NOINDEX:
      'ページが検索エンジンに登録しないよう求めている（noindex）ため、登録されませんでした。含めるには noindex を外してください。',
    ROBOTS_DISALLOWED:
      'ウェブサーバーの robots.txt がこのページを禁止しています。含めるには robots.txt で許可してください。',
    RENDER_UNAVAILABLE:
      'ブラウザーなしではページにテキストがなく、このサーバーにはブラウザーがありません。運用者に Chromium のインストールを依頼してください。',
    SITE_EMPTY:
      'このアドレスにページが見つかりません。ブラウザーで開けることを確認するか、サイトマップのアドレスを入力してください。',
    SITE_FAILED: 'サイトのどのページも登録できませんでした。各ページのエラーを確認してください。',
    ARCHIVE_EMPTY:
      'アーカイブに読み取れるファイルがありません。対応している形式のファイルを加え、もう一度アップロードしてください。',
    ARCHIVE_FAILED: 'アーカイブのどのファイルも登録できませんでした。各ファイルのエラーを確認してください。',
    PAGE_TOO_LARGE:
      'ページが、このサーバーで許可されている大きさを超えています。ファイルとして保存し、分割してアップロードしてください。',
    RATE_LIMITED: '外部のサービスがリクエストの数を制限しています。しばらくすると自動的に続行されます。',
    MODEL_REFUSED:
      '埋め込みモデルがリクエストを拒否しました。運用者にモデルと API キーの確認を依頼してください。',
    DEPENDENCY_UNAVAILABLE:
      '何度か試しましたが、このサーバーのサービスに接続できませんでした。後で再同期してください。',
    WORKER_CRASHED:
      'この資料を処理するプログラムが繰り返し停止しました。運用者にログの確認を依頼してください。',
    CANCELLED: '同期はキャンセルされました。続けるには再同期してください。',
    PARTIAL:
      '一部のページまたはファイルを登録できませんでした。ほかは利用できます。エラーを確認し、再同期してください。',
    MOSTLY_LEFT_OUT:
      'テキストの 3 分の 1 以上が省かれました。利用する前に、保存されたテキストを資料と比べてください。',
    ENCODING_UNCERTAIN:
      'ファイルの文字コードが不確かです。文字化けしている場合は、文字コードを指定してもう一度アップロードしてください。',
    LINES_SKIPPED: 'ファイルの一部の行を読み取れませんでした。修正して、もう一度アップロードしてください。',
    PARTLY_READ: 'ファイルの一部を読み取れませんでした。保存されたテキストを資料と比べてください。',
  },
  urlReasons: {
    EMPTY: 'テキストがありません。',
    EXCLUDED: 'パターンによって除外されています。',
    GONE: 'もう存在しません（404 または 410）。',
    NESTED_TOO_DEEP: 'サイトマップが最初のものから離れすぎています。',
    NOINDEX: '登録しないよう求めています（noindex）。',
    NOT_A_PAGE: 'サイトマップまたはフィードです。',
    NOT_A_SITEMAP: 'サイトマップではありません。',
    REDIRECT: '別のサイトに転送されます。',
    ROBOTS: 'サイトの robots.txt が禁止しています。',
    TRUNCATED: 'サイトマップが途中で終わっています。',
    UNSUPPORTED: '対応していない種類のファイルです。',
  },
  kinds: {
    PDF: 'PDF',
    DOCX: 'Word 文書（.docx）',
    PPTX: 'PowerPoint プレゼンテーション（.pptx）',
    XLSX: 'Excel ブック（.xlsx）',
    EPUB: 'EPUB の電子書籍',
    ODT: 'OpenDocument テキスト（.odt）',
    RTF: 'RTF 文書',
    HTML: 'ウェブページ（HTML）',
    JSON: 'JSON ファイル',
    EMAIL: 'メール',
    TEXT: 'プレーンテキスト',
    ZIP: 'ZIP アーカイブ',
    OLD_WORD: '古い形式の Word 文書（.doc）',
    OLD_EXCEL: 'バイナリー形式の Excel ブック（.xls、.xlsb）',
    OLD_POWERPOINT: '古い形式の PowerPoint プレゼンテーション（.ppt）',
    OLD_OFFICE: '古い形式の Office ファイル',
    OPEN_SPREADSHEET: 'OpenDocument スプレッドシート（.ods）',
    OPEN_PRESENTATION: 'OpenDocument プレゼンテーション（.odp）',
    PAGES: 'Apple Pages の書類',
    NUMBERS: 'Apple Numbers の表',
    KEYNOTE: 'Apple Keynote のプレゼンテーション',
    WORD_PROCESSOR: '別のワープロソフトの文書',
    OUTLOOK: 'Outlook のメッセージまたはメールボックス（.msg、.pst）',
    NOTEBOOK: 'OneNote のノートブック',
    DRAWING: '図面',
    PRINT_FILE: '印刷用ファイル（PostScript、XPS、DjVu）',
    EBOOK: 'EPUB 以外の形式の電子書籍',
    IMAGE: '画像',
    AUDIO: '音声ファイル',
    VIDEO: '動画',
    ARCHIVE: 'ZIP 以外の形式のアーカイブ',
    DATABASE: 'データベース',
    PROGRAM: 'プログラム',
    FONT: 'フォント',
    XML: 'XML ファイル',
    ENCRYPTED: '暗号化されたファイル',
    INCOMPLETE: '不完全な ZIP または Office ファイル',
    BINARY: '種類の分からないバイナリーファイル',
  },
  advice: {
    SAVE_AS_DOCX:
      '元のプログラムまたは LibreOffice で開き、.docx として保存して、新しいファイルをアップロードしてください。',
    SAVE_AS_XLSX:
      '元のプログラムまたは LibreOffice で開き、.xlsx として保存して、新しいファイルをアップロードしてください。',
    SAVE_AS_PPTX:
      '元のプログラムまたは LibreOffice で開き、.pptx または PDF として保存して、新しいファイルをアップロードしてください。',
    EXPORT_AS_PDF: '元のプログラムで開き、PDF として書き出して、新しいファイルをアップロードしてください。',
    EXPORT_AS_CSV: '表を CSV または .xlsx として書き出し、アップロードしてください。',
    SAVE_AS_EML: 'メッセージを .eml またはテキストとして保存し、アップロードしてください。',
    CONVERT_TO_EPUB: 'EPUB または PDF に変換し、新しいファイルをアップロードしてください。',
    RECOGNISE_TEXT:
      '文字が写っている場合は、文字認識（OCR）を行い、結果を PDF またはテキストとしてアップロードしてください。',
    TRANSCRIBE: '文字に起こし、テキストとしてアップロードしてください。',
    UNPACK: '展開して中のファイルをアップロードするか、ZIP にまとめ直してください。',
    REMOVE_PASSWORD: '暗号化せずに保存し、新しいファイルをアップロードしてください。',
    ALLOW_EXTENSION:
      'テキスト（.txt）として保存してください。管理者は EXTRA_FILE_TYPES で拡張子を許可することもできます。',
    GET_AGAIN: 'コピーまたはダウンロードし直し、新しいファイルをアップロードしてください。',
    ONLY_DOCUMENTS: 'テキストのある資料をアップロードしてください。',
    SAVE_AS_TEXT: 'PDF、.docx またはテキストとして保存し、新しいファイルをアップロードしてください。',
  },
  refusals: {
    EMPTY_FILE:
      'ファイルは空です（0 バイト）。コピーまたはダウンロードし直し、新しいファイルをアップロードしてください。',
    UNREADABLE_FILE: 'このファイルは{kind}で、読み取れません。',
    MISNAMED_FILE: 'ファイル名の末尾は .{extension} ですが、内容は{kind}です。',
    MISDECLARED_FILE: 'ファイルは {type} として送られましたが、内容は{kind}です。',
  },
  rename:
    'それを追加する場合は、ファイル名の末尾を .{extension} にしてください。そうでない場合は、ファイルを保存またはダウンロードし直してください。',
  duplicates: {
    SAME_NAME: 'ライブラリに同じ名前の資料がすでにあります。',
    SAME_CONTENT: 'ライブラリにこのファイルがすでにあります（「{name}」）。',
  },
};
