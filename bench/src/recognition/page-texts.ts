/** A page of text that is drawn as a scan. */
export interface PageText {
  /** Languages in which it is recognized, by the names of Tesseract's data, the first one first. */
  readonly languages: readonly string[];
  /** Families of fonts (Debian packages `fonts-noto-core`, `fonts-noto-cjk` and `fonts-dkg-handwriting`). */
  readonly font: string;
  readonly isVertical?: boolean;
  readonly paragraphs: readonly string[];
}

const SERIF = '"Noto Serif", serif';

/** Pages by name. All texts were written for this benchmark. */
export const PAGE_TEXTS: Readonly<Record<string, PageText>> = {
  german: {
    languages: ['deu'],
    font: SERIF,
    paragraphs: [
      'Hausordnung für das Gebäude Müllerstraße 17',
      'Die Schlüssel für den Fahrradkeller gibt die Hausverwaltung montags zwischen acht und zehn Uhr aus. Wer einen Schlüssel verliert, meldet es unverzüglich und trägt die Kosten von 48,50 € für ein neues Schloss.',
      'Während der Mittagsruhe von 13 bis 15 Uhr und nach 22 Uhr sind laute Geräusche zu vermeiden. Größere Reparaturen kündigen die Mieter eine Woche vorher schriftlich an. Gäste dürfen höchstens vierzehn Nächte bleiben.',
      'Der Müll wird getrennt: Papier in die blaue, Verpackungen in die gelbe und übrige Abfälle in die graue Tonne. Sperrmüll holt die Stadt viermal jährlich ab; die Termine hängen im Treppenhaus aus.',
      'Bei Frost schließen alle Bewohner die Fenster der Kellerräume, damit die Leitungen nicht einfrieren. Schäden meldet man der Gebäudeverwaltung unter der Nummer 030 5550 1427.',
    ],
  },
  french: {
    languages: ['fra'],
    font: SERIF,
    paragraphs: [
      'Règlement de la bibliothèque municipale',
      'Chaque lecteur inscrit peut emprunter jusqu’à huit ouvrages pendant quatre semaines. Le prêt est prolongé une fois, à condition que le livre n’ait pas été réservé par un autre abonné.',
      'Les journaux et les dictionnaires sont consultés sur place. Les élèves âgés de moins de douze ans doivent être accompagnés d’un adulte après dix-huit heures. Il est interdit de manger près des étagères.',
      'Tout document perdu ou abîmé est remplacé aux frais de l’emprunteur. En cas de retard, une pénalité de 0,15 € par jour est perçue dès le troisième rappel. Les dons sont acceptés le mercredi matin à l’accueil.',
      'La salle d’étude, située au deuxième étage, dispose de quarante-six places et ferme à vingt et une heures, sauf pendant les congés d’été où elle ferme à dix-neuf heures.',
    ],
  },
  spanish: {
    languages: ['spa'],
    font: SERIF,
    paragraphs: [
      'Instrucciones para el alquiler de embarcaciones',
      'El capitán comprobará el nivel de aceite antes de cada salida y anotará las horas del motor en el cuaderno de bitácora. ¿Falta algún chaleco? Avise enseguida al encargado del puerto, señor Muñoz.',
      'La fianza asciende a 350 € y se devuelve el mismo día si la embarcación no presenta daños. Está prohibido navegar de noche o con vientos superiores a cinco nudos cerca de la bahía de los Leñadores.',
      'Los niños menores de catorce años deben llevar siempre el chaleco puesto. El combustible se paga según el consumo: 1,92 € por litro. Después del regreso, limpie la cubierta con agua dulce y cierre las válvulas.',
      'En caso de avería, utilice el canal dieciséis de la radio e indique su posición, el número de pasajeros y el nombre del barco. Nuestro equipo de auxilio llegará en menos de cuarenta minutos.',
    ],
  },
  japanese: {
    languages: ['jpn'],
    font: '"Noto Serif CJK JP"',
    paragraphs: [
      '市民プール利用案内',
      '開館時間は午前九時から午後八時までです。毎週火曜日は清掃のため休館します。祝日と重なる場合は、翌日の水曜日を休みとします。',
      '利用料金は大人五百円、小学生と中学生は二百円です。十回分の回数券を購入すると、一割引になります。回数券の有効期限は購入日から一年間です。',
      '水に入る前に必ずシャワーを浴び、帽子をかぶってください。飲み物は蓋のある容器に限り持ち込めますが、食べ物は休憩室で召し上がってください。',
      '落とし物は受付で三か月間保管します。ロッカーの鍵をなくしたときは、実費として千二百円をお支払いいただきます。体調が悪くなったら、すぐに監視員へ知らせてください。',
    ],
  },
  'vertical japanese': {
    languages: ['jpn', 'jpn_vert'],
    font: '"Noto Serif CJK JP"',
    isVertical: true,
    paragraphs: [
      '港の朝は早い。夜明け前から漁師たちは網を積み、灯りをともした船が静かに沖へ出ていく。',
      '市場では女将が魚の値段を大きな声で読み上げ、料理人が籠をかかえて列をつくる。雨の日も雪の日も、その景色は変わらない。',
      '祖父は五十年のあいだ同じ場所に店を構え、客の名前をすべて覚えていた。私は今、その帳面を開いて、古い文字をゆっくりとたどっている。',
    ],
  },
  chinese: {
    languages: ['chi_sim'],
    font: '"Noto Serif CJK SC"',
    paragraphs: [
      '社区图书室借阅规定',
      '图书室每天上午九点开门，晚上八点关门。每位读者凭借书证一次可以借五本书，借期为三十天，到期前可以在网上续借一次。',
      '字典和地图只能在室内阅读。如果图书丢失或者损坏，读者需要购买相同的版本，或者按照原价的两倍赔偿。逾期每天收取两角钱的费用。',
      '请不要在书上写字，也不要折叠书页。十岁以下的儿童应当由家长陪同。自习室有四十六个座位，不能提前占座，离开超过半小时的座位会让给其他读者。',
      '捐赠图书的居民可以在星期三下午联系管理员。我们会登记每一本书，并在入口处的墙上写下捐赠人的姓名，以表示感谢。',
    ],
  },
  'german and english': {
    languages: ['deu', 'eng'],
    font: SERIF,
    paragraphs: [
      'Lieferschein und Garantiekarte',
      'Öffnen Sie das Gehäuse nicht. Prüfen Sie vor der ersten Benutzung, ob das Netzkabel unbeschädigt ist, und lüften Sie den Raum während der Aufheizzeit gründlich.',
      'Do not open the housing. Before you use the heater for the first time, check that the power cord is not damaged, and air the room thoroughly while it warms up.',
      'Für Schäden, die durch unsachgemäße Reinigung entstehen, übernimmt der Hersteller keine Gewähr.',
      'The manufacturer does not accept liability for damage that is caused by improper cleaning.',
    ],
  },
  names: {
    languages: ['eng'],
    font: SERIF,
    paragraphs: [
      'Guests of the spring dinner',
      'Zoë Brückner, François Lefèvre, José Núñez, Søren Ångström, Agnès Côté, Márta Kővári, Łukasz Żółkowski and Renée Müller have said that they will come. Please seat Mrs Brückner beside Mr Lefèvre.',
    ],
  },
  digits: {
    languages: ['eng'],
    font: SERIF,
    paragraphs: [
      '2026 1840 5527 0093 7715',
      '418.20 99.95 1204.00 35.10 7.45',
      '30551427 88102936 47720018 65093311',
      '12 24 36 48 60 72 84 96 108 120 132 144',
    ],
  },
  empty: { languages: ['eng'], font: SERIF, paragraphs: [] },
  handwriting: {
    languages: ['eng'],
    font: 'DkgHandwriting, cursive',
    paragraphs: [
      'Dear Martha, the roof is nearly done and the swallows are back in the barn.',
      'We shall need eleven more boards and a box of the long nails before the rain comes. Thomas says he will drive to town on Friday if the mare is well again.',
      'Give my love to the children and tell Ruth the blue hen sits on nine eggs.',
    ],
  },
  russian: {
    languages: ['rus'],
    font: SERIF,
    paragraphs: [
      'Правила пользования мастерской',
      'Мастерская открыта по будням с девяти утра до шести вечера. Ключи выдаёт дежурный под подпись. Перед началом работы проверьте, что провода целы и защитные очки лежат на месте.',
      'Дети до четырнадцати лет допускаются только вместе со взрослыми. После работы уберите стружку, выключите свет и верните инструменты в шкаф. О поломках сообщайте сразу по телефону 555 14 27.',
    ],
  },
  arabic: {
    languages: ['ara'],
    font: '"Noto Naskh Arabic"',
    paragraphs: [
      'تعليمات استعمال المطبخ المشترك',
      'يفتح المطبخ أبوابه من السابعة صباحا حتى العاشرة ليلا. على كل مستأجر أن يغسل الصحون بعد الطعام وأن يمسح الطاولة ويطفئ الفرن قبل الخروج.',
      'توضع الأطعمة في الثلاجة داخل علب مغلقة وعليها اسم صاحبها وتاريخ اليوم. تنظف الثلاجة مساء كل خميس، ويرمى ما لا اسم عليه.',
    ],
  },
  hebrew: {
    languages: ['heb'],
    font: '"Noto Serif Hebrew"',
    paragraphs: [
      'הוראות לשימוש בחדר הכביסה',
      'החדר פתוח בכל יום משבע בבוקר עד תשע בערב. יש להירשם ביומן שעל הדלת ולא להשאיר בגדים במכונה לאחר סיום התוכנית.',
      'אין לכבס שטיחים או שמיכות כבדות. אם המכונה נעצרת באמצע, נתקו אותה מהחשמל והודיעו לשומר. המפתח נמצא אצל גברת לוי בקומה השנייה.',
    ],
  },
  hindi: {
    languages: ['hin'],
    font: '"Noto Serif Devanagari"',
    paragraphs: [
      'सामुदायिक भवन के नियम',
      'भवन सुबह आठ बजे से रात नौ बजे तक खुला रहता है। कमरे का आरक्षण कम से कम तीन दिन पहले कराना होगा और शुल्क कार्यालय में जमा करना होगा।',
      'कार्यक्रम के बाद कुर्सियाँ अपनी जगह पर रखें, खिड़कियाँ बंद करें और चाबी चौकीदार को लौटा दें। किसी भी टूट-फूट की सूचना उसी दिन दें।',
    ],
  },
  korean: {
    languages: ['kor'],
    font: '"Noto Serif CJK KR"',
    paragraphs: [
      '공동 작업실 이용 안내',
      '작업실은 평일 오전 아홉 시부터 저녁 여덟 시까지 문을 엽니다. 열쇠는 관리 사무소에서 서명한 뒤에 받을 수 있습니다.',
      '기계를 사용하기 전에 보호 안경을 쓰고 전선이 상하지 않았는지 확인하십시오. 작업이 끝나면 바닥을 쓸고 불을 끈 다음 도구를 제자리에 놓아 주십시오.',
    ],
  },
  greek: {
    languages: ['ell'],
    font: SERIF,
    paragraphs: [
      'Κανονισμός του κοινόχρηστου κήπου',
      'Ο κήπος ανοίγει κάθε μέρα στις οκτώ το πρωί και κλείνει με τη δύση του ήλιου. Τα εργαλεία φυλάσσονται στην αποθήκη και επιστρέφονται καθαρά μετά τη χρήση.',
      'Το πότισμα επιτρέπεται μόνο νωρίς το πρωί ή αργά το απόγευμα. Τα σκυλιά μένουν έξω από τα παρτέρια, και τα παιδιά παίζουν δίπλα στη βρύση.',
    ],
  },
};
