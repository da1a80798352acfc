import type { Language } from '../question/function-words.js';

/** The texts of an answer from a table in a language. */
interface TableMessages {
  /** For one row and for other numbers. `{table}` and `{conditions}` are replaced. */
  readonly rows: readonly [one: string, other: string];
  readonly first: string;
  readonly figures: readonly [sum: string, average: string, least: string, greatest: string];
  readonly mixed: string;
  readonly unread: string;
  readonly undated: string;
  readonly totals: string;
  readonly unused: string;
  /** Before the numbers of these rows. */
  readonly others: string;
}

export const TABLE_MESSAGES: Readonly<Record<Language, TableMessages>> = {
  en: {
    rows: ['**1 row** of {table} where {conditions}', '**{count} rows** of {table} where {conditions}'],
    first: 'The first {count} are shown.',
    figures: ['Sum', 'Average', 'Smallest', 'Largest'],
    mixed: '{column}: no figures, because the amounts have several currencies.',
    unread: '{column}: no figures, because {count} of the cells could not be read as numbers.',
    undated: '{column}: {count} cells of the table could not be read as dates; their rows are not counted.',
    totals: 'Rows with totals are not counted.',
    unused: 'No condition uses these words of the question: {words}.',
    others: 'Other rows:',
  },
  de: {
    rows: ['**1 Zeile** von {table} mit {conditions}', '**{count} Zeilen** von {table} mit {conditions}'],
    first: 'Gezeigt werden die ersten {count}.',
    figures: ['Summe', 'Durchschnitt', 'Kleinster Wert', 'Größter Wert'],
    mixed: '{column}: keine Werte, denn die Beträge haben mehrere Währungen.',
    unread: '{column}: keine Werte, denn {count} der Zellen sind nicht als Zahlen lesbar.',
    undated:
      '{column}: {count} Zellen der Tabelle sind nicht als Datum lesbar; ihre Zeilen sind nicht gezählt.',
    totals: 'Summenzeilen sind nicht gezählt.',
    unused: 'Keine Bedingung nutzt diese Wörter der Frage: {words}.',
    others: 'Andere Zeilen:',
  },
  fr: {
    rows: ['**1 ligne** de {table} où {conditions}', '**{count} lignes** de {table} où {conditions}'],
    first: 'Les {count} premières sont affichées.',
    figures: ['Somme', 'Moyenne', 'Minimum', 'Maximum'],
    mixed: '{column} : aucun calcul, car les montants sont en plusieurs devises.',
    unread: '{column} : aucun calcul, car {count} cellules ne sont pas lisibles comme des nombres.',
    undated:
      '{column} : {count} cellules du tableau ne sont pas lisibles comme des dates ; leurs lignes ne sont pas comptées.',
    totals: 'Les lignes de totaux ne sont pas comptées.',
    unused: 'Aucune condition n’utilise ces mots de la question : {words}.',
    others: 'Autres lignes :',
  },
  es: {
    rows: ['**1 fila** de {table} donde {conditions}', '**{count} filas** de {table} donde {conditions}'],
    first: 'Se muestran las primeras {count}.',
    figures: ['Suma', 'Promedio', 'Mínimo', 'Máximo'],
    mixed: '{column}: sin cálculos, porque los importes tienen varias monedas.',
    unread: '{column}: sin cálculos, porque {count} celdas no se pueden leer como números.',
    undated: '{column}: {count} celdas de la tabla no se pueden leer como fechas; sus filas no se cuentan.',
    totals: 'Las filas de totales no se cuentan.',
    unused: 'Ninguna condición usa estas palabras de la pregunta: {words}.',
    others: 'Otras filas:',
  },
  it: {
    rows: ['**1 riga** di {table} dove {conditions}', '**{count} righe** di {table} dove {conditions}'],
    first: 'Sono mostrate le prime {count}.',
    figures: ['Somma', 'Media', 'Minimo', 'Massimo'],
    mixed: '{column}: nessun calcolo, perché gli importi hanno valute diverse.',
    unread: '{column}: nessun calcolo, perché {count} celle non sono leggibili come numeri.',
    undated:
      '{column}: {count} celle della tabella non sono leggibili come date; le loro righe non sono contate.',
    totals: 'Le righe dei totali non sono contate.',
    unused: 'Nessuna condizione usa queste parole della domanda: {words}.',
    others: 'Altre righe:',
  },
  pt: {
    rows: ['**1 linha** de {table} onde {conditions}', '**{count} linhas** de {table} onde {conditions}'],
    first: 'São mostradas as primeiras {count}.',
    figures: ['Soma', 'Média', 'Mínimo', 'Máximo'],
    mixed: '{column}: sem cálculos, porque os valores têm várias moedas.',
    unread: '{column}: sem cálculos, porque {count} células não podem ser lidas como números.',
    undated:
      '{column}: {count} células da tabela não podem ser lidas como datas; as suas linhas não são contadas.',
    totals: 'As linhas de totais não são contadas.',
    unused: 'Nenhuma condição usa estas palavras da pergunta: {words}.',
    others: 'Outras linhas:',
  },
  ru: {
    rows: ['{table}, {conditions}: **строк: 1**', '{table}, {conditions}: **строк: {count}**'],
    first: 'Показаны первые {count}.',
    figures: ['Сумма', 'Среднее', 'Наименьшее', 'Наибольшее'],
    mixed: '{column}: без расчётов, так как суммы указаны в разных валютах.',
    unread: '{column}: без расчётов, так как ячеек, не читаемых как числа: {count}.',
    undated: '{column}: ячеек, не читаемых как даты: {count}; их строки не учтены.',
    totals: 'Строки с итогами не учтены.',
    unused: 'Ни одно условие не использует эти слова вопроса: {words}.',
    others: 'Другие строки:',
  },
  zh: {
    rows: ['{table} 中 {conditions} 的行：**1 行**', '{table} 中 {conditions} 的行：**{count} 行**'],
    first: '显示前 {count} 行。',
    figures: ['合计', '平均', '最小', '最大'],
    mixed: '{column}：金额有多种货币，因此不计算。',
    unread: '{column}：有 {count} 个单元格无法读作数字，因此不计算。',
    undated: '{column}：表中有 {count} 个单元格无法读作日期，这些行未计入。',
    totals: '合计行未计入。',
    unused: '没有条件用到问题中的这些词：{words}。',
    others: '其他行：',
  },
  ja: {
    rows: ['{table}（{conditions}）：**1 行**', '{table}（{conditions}）：**{count} 行**'],
    first: '最初の {count} 行を表示しています。',
    figures: ['合計', '平均', '最小', '最大'],
    mixed: '{column}：複数の通貨があるため、計算していません。',
    unread: '{column}：{count} 個のセルを数値として読み取れないため、計算していません。',
    undated: '{column}：{count} 個のセルを日付として読み取れないため、その行は数えていません。',
    totals: '合計の行は数えていません。',
    unused: '質問の次の語はどの条件にも使われていません：{words}。',
    others: 'その他の行：',
  },
  ko: {
    rows: ['{table}에서 {conditions}인 행: **1개**', '{table}에서 {conditions}인 행: **{count}개**'],
    first: '처음 {count}개를 표시합니다.',
    figures: ['합계', '평균', '최소', '최대'],
    mixed: '{column}: 통화가 여러 가지여서 계산하지 않았습니다.',
    unread: '{column}: 셀 {count}개를 숫자로 읽을 수 없어 계산하지 않았습니다.',
    undated: '{column}: 셀 {count}개를 날짜로 읽을 수 없어 그 행은 세지 않았습니다.',
    totals: '합계 행은 세지 않았습니다.',
    unused: '질문의 다음 단어는 어떤 조건에도 쓰이지 않았습니다: {words}.',
    others: '다른 행:',
  },
  ar: {
    rows: ['{table}، {conditions}: **عدد الصفوف 1**', '{table}، {conditions}: **عدد الصفوف {count}**'],
    first: 'تُعرض أول {count}.',
    figures: ['المجموع', 'المتوسط', 'الأصغر', 'الأكبر'],
    mixed: '{column}: بلا حسابات، لأن المبالغ بعملات متعددة.',
    unread: '{column}: بلا حسابات، لأن {count} من الخلايا لا تُقرأ كأرقام.',
    undated: '{column}: {count} من خلايا الجدول لا تُقرأ كتواريخ، ولم تُحسب صفوفها.',
    totals: 'صفوف المجاميع غير محسوبة.',
    unused: 'لا يستخدم أي شرط هذه الكلمات من السؤال: {words}.',
    others: 'صفوف أخرى:',
  },
};
