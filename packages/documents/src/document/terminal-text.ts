/**
 * Sequences that begin with ESC (ECMA-48): links, titles and other strings up to their end,
 * then cursor movements and colors, then character sets and single functions.
 */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*([@-~])|\u001b\(0[^\u001b\n]*\u001b\(B|\u001b[ -/]*[0-~]/g;

// oxlint-disable-next-line no-control-regex
const COLOR = /\u001b\[[\d;]*m/g;

/** Movements within a line and to another one. Between words, they stand for white space. */
const WITHIN_LINE = /[CG`a]/;
const TO_LINE = /[BEFHdef]/;

/** The text as a terminal shows it: without colors, links and frames, and with overstruck letters once. */
export function terminalText(text: string): string {
  if (!text.includes('\u001b') && !text.includes('\b')) return text;
  // Nearly all codes are colors, which are removed faster alone.
  const plain = text.replace(COLOR, '').replace(SEQUENCE, (_, final: string | undefined) => {
    if (final === undefined) return '';
    if (TO_LINE.test(final)) return '\n';
    return WITHIN_LINE.test(final) ? ' ' : '';
  });
  if (!plain.includes('\b')) return plain;
  const lines = plain.split('\n');
  return lines.map((line) => (line.includes('\b') ? withoutOverstriking(line) : line)).join('\n');
}

/** Printers make letters bold as `N BS N`, and underline them as `_ BS N` or `N BS _`. */
function withoutOverstriking(line: string): string {
  const shown: string[] = [];
  let isBack = false;
  for (const character of line) {
    if (isBack && character === '_' && shown.length > 0) {
      isBack = false;
    } else if (character === '\b') {
      if (isBack) shown.pop();
      isBack = true;
    } else {
      if (isBack) shown.pop();
      shown.push(character);
      isBack = false;
    }
  }
  return shown.join('');
}
