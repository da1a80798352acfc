/** A business text in each language, by the encodings that it is stored in. */
export const LANGUAGE_SAMPLES: readonly (readonly [
  language: string,
  encodings: readonly string[],
  text: string,
])[] = [
  [
    'zh-Hans',
    ['gb18030'],
    '客户编号,公司名称,联系电话,发货地址。请在下周五之前把修改后的报价单发给采购部门,谢谢您的配合！我们的新产品将在三月份上市,价格比去年便宜百分之十。订单已经付款,仓库明天安排发货。这台机器需要每六个月更换一次滤芯。',
  ],
  [
    'zh-Hant',
    ['big5'],
    '產品編號,品名規格,庫存數量,單價。請於下週五之前把修改後的報價單寄給採購部門,謝謝您的配合！我們的新產品將在三月份上市,價格比去年便宜百分之十。訂單已經付款,倉庫明天安排出貨。這台機器需要每六個月更換一次濾心。',
  ],
  [
    'ja',
    ['shift_jis', 'euc-jp'],
    '顧客番号,会社名,電話番号,住所。来週の金曜日までに修正した見積書を購買部に送ってください。よろしくお願いします。新製品は三月に発売予定で、価格は昨年より安くなります。フィルターは六か月ごとに交換してください。注文はすでに支払い済みです。',
  ],
  [
    'ko',
    ['euc-kr'],
    '고객번호,회사명,전화번호,주소. 다음 주 금요일까지 수정된 견적서를 구매팀에 보내 주시기 바랍니다. 감사합니다. 신제품은 삼월에 출시될 예정이며 가격은 작년보다 저렴합니다. 필터는 여섯 달마다 교체해야 합니다.',
  ],
  [
    'ru',
    ['windows-1251', 'koi8-r', 'cp866', 'iso-8859-5', 'maccyrillic'],
    'Отдел продаж;Фамилия;Телефон;Сумма. Пожалуйста, пришлите исправленный счёт до пятницы. Новый товар поступит на склад в марте, цена ниже прошлогодней. Фильтр нужно менять раз в полгода. Заказ уже оплачен, отгрузка завтра утром.',
  ],
  [
    'uk',
    ['windows-1251', 'koi8-u'],
    'Відділ;Прізвище;Телефон;Сума. Будь ласка, надішліть виправлений рахунок до п’ятниці. Новий товар надійде на склад у березні, ціна нижча за торішню. Фільтр потрібно міняти кожні пів року. Замовлення вже сплачено, її відвантажать завтра.',
  ],
  [
    'bg',
    ['windows-1251'],
    'Отдел;Фамилия;Телефон;Сума. Моля, изпратете коригираната фактура до петък. Новият продукт ще бъде на склад през март, цената е по-ниска от миналата година. Филтърът трябва да се сменя на всеки шест месеца.',
  ],
  [
    'sr',
    ['windows-1251'],
    'Одељење;Презиме;Телефон;Износ. Молимо вас да пошаљете исправљену понуду до петка. Нови производ стиже у складиште у марту, цена је нижа него прошле године. Филтер треба мењати сваких шест месеци.',
  ],
  [
    'el',
    ['windows-1253', 'iso-8859-7'],
    'Τμήμα;Επώνυμο;Τηλέφωνο;Ποσό. Παρακαλούμε στείλτε το διορθωμένο τιμολόγιο μέχρι την Παρασκευή. Το νέο προϊόν θα έρθει στην αποθήκη τον Μάρτιο, η τιμή είναι χαμηλότερη από πέρυσι.',
  ],
  [
    'he',
    ['windows-1255', 'iso-8859-8'],
    'מחלקה,שם משפחה,טלפון,סכום. נא לשלוח את החשבונית המתוקנת עד יום שישי. המוצר החדש יגיע למחסן במרץ והמחיר נמוך מהשנה שעברה. יש להחליף את המסנן כל חצי שנה.',
  ],
  [
    'ar',
    ['windows-1256', 'iso-8859-6'],
    'القسم,اسم العائلة,الهاتف,المبلغ. يرجى إرسال الفاتورة المصححة قبل يوم الجمعة. سيصل المنتج الجديد إلى المخزن في شهر مارس والسعر أقل من العام الماضي. يجب تغيير المرشح كل ستة أشهر.',
  ],
  [
    'fa',
    ['windows-1256'],
    'بخش,نام خانوادگی,تلفن,مبلغ. لطفا صورتحساب اصلاح شده را تا روز جمعه ارسال کنید. محصول جديد در ماه مارس به انبار مي رسد و قيمت آن از سال گذشته کمتر است.',
  ],
  [
    'th',
    ['windows-874'],
    'แผนก,นามสกุล,โทรศัพท์,จำนวนเงิน กรุณาส่งใบแจ้งหนี้ที่แก้ไขแล้วก่อนวันศุกร์ สินค้าใหม่จะเข้าคลังในเดือนมีนาคม ราคาถูกกว่าปีที่แล้ว ควรเปลี่ยนไส้กรองทุกหกเดือน',
  ],
  [
    'tr',
    ['windows-1254'],
    'Bölüm;Soyadı;Telefon;Tutar. Lütfen düzeltilmiş faturayı cuma gününe kadar gönderin. Yeni ürün mart ayında depoya gelecek, fiyatı geçen yıldan daha düşük. Süzgeç altı ayda bir değiştirilmeli, şişe açık bırakılmamalıdır.',
  ],
  [
    'vi',
    ['windows-1258'],
    'Phòng ban;Họ tên;Điện thoại;Số tiền. Vui lòng gửi hóa đơn đã sửa trước thứ sáu. Sản phẩm mới sẽ về kho vào tháng ba, giá thấp hơn năm ngoái. Bộ lọc cần được thay sáu tháng một lần.',
  ],
  [
    'pl',
    ['windows-1250', 'iso-8859-2'],
    'Dział;Nazwisko;Telefon;Kwota należności. Proszę przesłać poprawioną fakturę do piątku. Nowy produkt będzie w magazynie w marcu, cena jest niższa niż w zeszłym roku. Filtr należy wymieniać co pół roku, żeby sprężarka działała.',
  ],
  [
    'cs',
    ['windows-1250', 'iso-8859-2'],
    'Oddělení;Příjmení;Telefon;Částka. Pošlete prosím opravenou fakturu do pátku. Nový výrobek bude na skladě v březnu, cena je nižší než loni. Filtr je třeba měnit každého půl roku, údržbu řeší náš technik.',
  ],
  [
    'sk',
    ['windows-1250'],
    'Oddelenie;Priezvisko;Telefón;Čiastka. Pošlite prosím opravenú faktúru do piatku. Nový výrobok bude na sklade v marci, cena je nižšia ako vlani. Filter treba meniť každého pol roka, údržbu rieši náš technik.',
  ],
  [
    'hu',
    ['windows-1250', 'iso-8859-2'],
    'Osztály;Vezetéknév;Telefonszám;Összeg. Kérjük, küldje el a javított számlát péntekig. Az új termék márciusban érkezik a raktárba, az ára alacsonyabb a tavalyinál. A szűrőt félévente cserélni kell, különben a gép leáll, erről őket értesítjük.',
  ],
  [
    'ro',
    ['windows-1250'],
    'Secţie;Numele de familie;Telefon;Suma plătită. Vă rugăm să trimiteţi factura corectată până vineri. Produsul nou va fi în depozit în martie, preţul este mai mic decât anul trecut. Filtrul trebuie schimbat la şase luni.',
  ],
  [
    'hr',
    ['windows-1250'],
    'Odjel;Prezime;Telefon;Iznos računa. Molimo pošaljite ispravljeni račun do petka. Novi proizvod stiže u skladište u ožujku, cijena je niža nego prošle godine. Filtar treba mijenjati svakih šest mjeseci, uključujući čišćenje kućišta.',
  ],
  [
    'lt',
    ['windows-1257'],
    'Skyrius;Pavardė;Telefonas;Suma. Prašome atsiųsti pataisytą sąskaitą iki penktadienio. Naujas gaminys bus sandėlyje kovo mėnesį, kaina mažesnė nei pernai. Filtrą reikia keisti kas šešis mėnesius.',
  ],
  [
    'lv',
    ['windows-1257'],
    'Nodaļa;Uzvārds;Tālrunis;Summa. Lūdzu, atsūtiet laboto rēķinu līdz piektdienai. Jaunais ražojums būs noliktavā martā, cena ir zemāka nekā pērn. Filtrs jāmaina ik pēc sešiem mēnešiem.',
  ],
  [
    'et',
    ['windows-1257'],
    'Osakond;Perekonnanimi;Telefon;Summa. Palun saatke parandatud arve reedeks. Uus toode jõuab lattu märtsis, hind on madalam kui mullu. Filtrit tuleb vahetada iga kuue kuu järel, küsimused saatke müügijuhile.',
  ],
  [
    'de',
    ['windows-1252', 'macroman', 'cp850'],
    'Abteilung;Straße;Größe;Rückfragen für Kunden. Bitte schicken Sie die geänderte Rechnung bis Freitag. Das neue Gerät kommt im März ins Lager, der Preis ist günstiger als voriges Jahr. Übrigens müssen die Filter halbjährlich gewechselt werden.',
  ],
  [
    'fr',
    ['windows-1252', 'macroman', 'cp850'],
    'Société;Prénom;Téléphone;Montant réglé. Veuillez nous envoyer la facture corrigée avant vendredi. Le nouvel appareil sera livré à l’entrepôt en février, son prix a baissé depuis l’été dernier. Où faut-il déposer la pièce défectueuse ?',
  ],
  [
    'es',
    ['windows-1252', 'cp850'],
    'Compañía;Teléfono;Dirección;Año de fabricación. Por favor, envíe la factura corregida antes del viernes. El nuevo artículo llegará al almacén en marzo, ¿cuál será su precio? El filtro debe cambiarse cada seis meses según el técnico.',
  ],
  [
    'pt',
    ['windows-1252'],
    'Seção;Endereço;Telefone;Preço médio. Por favor, envie a fatura corrigida até sexta-feira. O novo produto chegará ao armazém em março, o preço é mais baixo do que no ano passado. A manutenção não está incluída na cotação.',
  ],
  [
    'sv',
    ['windows-1252'],
    'Företag;Förnamn;Telefon;Belopp i kronor på fakturan. Var vänlig skicka den rättade räkningen före fredag. Den nya varan kommer till lagret i mars, priset är lägre än förra året. Filtret måste bytas var sjätte månad.',
  ],
  [
    'da',
    ['windows-1252'],
    'Afdeling;Efternavn;Telefon;Beløb på fakturaen. Send venligst den rettede regning før fredag. Den nye vare kommer på lager i marts, prisen er lavere end sidste år. Filteret skal udskiftes hver sjette måned ifølge værkstedet.',
  ],
  [
    'is',
    ['windows-1252'],
    'Deild;Nafn;Símanúmer;Upphæð reiknings. Vinsamlegast sendið leiðréttan reikning fyrir föstudag. Nýja varan kemur á lager í mars, verðið er lægra en í fyrra. Skipta þarf um síu á hálfs árs fresti.',
  ],
];
