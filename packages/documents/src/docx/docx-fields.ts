import { symbolText } from '../office/symbol-fonts.js';
import { childElements, descendant, isOn, type XmlElement } from '../xml/xml-tree.js';

interface Field {
  code: string;
  isResult: boolean;
  hasResult: boolean;
  /** Text between the code and the result: results of fields in the code. */
  readonly skipped: string[];
  /** The data of a form field (ECMA-376 Part 1, 17.16.17). */
  readonly form: XmlElement | undefined;
}

/** The open fields of a paragraph (17.16.18): begin, code, separator, result, end. */
export class DocxFields {
  private readonly open: Field[] = [];

  /** Whether text at the current position belongs to the code of a field, which is not shown. */
  get isInCode(): boolean {
    return this.open.some(({ isResult }) => !isResult);
  }

  skip(text: string): void {
    this.open.findLast(({ isResult }) => !isResult)?.skipped.push(text);
  }

  addCode(code: string): void {
    const field = this.open.at(-1);
    if (field !== undefined && !field.isResult) field.code += code;
  }

  resultAdded(): void {
    for (const field of this.open) field.hasResult = true;
  }

  /** @returns the text of a field that ends without a result */
  mark(character: XmlElement): string {
    switch (character.attributes['fldCharType'] ?? '') {
      case 'begin':
        this.open.push({
          code: '',
          isResult: false,
          hasResult: false,
          skipped: [],
          form: descendant(character, 'ffData'),
        });
        return '';
      case 'separate':
        for (const field of this.open.slice(-1)) field.isResult = true;
        return '';
      case 'end': {
        const field = this.open.pop();
        if (field === undefined || field.hasResult) return '';
        return formResult(field.form) ?? shownCode(field.code);
      }
      default:
        return '';
    }
  }

  /** The text in the codes of fields without an end, which is text of the document. */
  unfinished(): string {
    return this.open.flatMap(({ isResult, skipped }) => (isResult ? [] : skipped)).join('');
  }
}

/** The value of a check box, drop-down list or text field. */
function formResult(form: XmlElement | undefined): string | undefined {
  const valueOf = (parent: XmlElement | undefined, name: string): string | undefined => {
    const element = descendant(parent, name);
    return element === undefined ? undefined : (element.attributes['val'] ?? '1');
  };
  const [box, list, text] = ['checkBox', 'ddList', 'textInput'].map((name) => descendant(form, name));
  if (box !== undefined) return isOn(valueOf(box, 'checked') ?? valueOf(box, 'default') ?? '0') ? '☒' : '☐';
  if (list !== undefined) {
    const index = Number(valueOf(list, 'result') ?? valueOf(list, 'default') ?? 0);
    return childElements(list, 'listEntry')[index]?.attributes['val'] ?? '';
  }
  return text === undefined ? undefined : (valueOf(text, 'default') ?? '');
}

/** The text of fields that show a part of their code: buttons, symbols and old equations (17.16.5). */
function shownCode(code: string): string {
  const [, name = '', rest = ''] = /^\s*(\w+)\s+(.*)$/s.exec(code) ?? [];
  switch (name.toUpperCase()) {
    case 'MACROBUTTON':
    case 'GOTOBUTTON':
      return rest.replace(/^\S+\s*/, '').trim();
    case 'SYMBOL':
      return symbolOf(rest);
    case 'EQ':
      return equationOf(rest);
    default:
      return '';
  }
}

function symbolOf(rest: string): string {
  const code = Number(/^\S+/.exec(rest)?.[0]);
  if (!Number.isInteger(code) || code <= 0 || code > 0xffff) return '';
  const font = /\\f\s*"?([^"\\]+)"?/i.exec(rest)?.[1]?.trim() ?? 'Symbol';
  return symbolText(String.fromCharCode(code), font);
}

const FRACTION = /\\f\s*\(([^();,]*)[;,]([^();,]*)\)/gi;
/** A root of an optional degree. Lists have semicolons where the comma is the decimal sign. */
const ROOT = /\\r\s*\((?:([^();]*);|([^();,]*),)?/gi;
const RUBY = /\\o\s*(?:\\a[clrd]\s*)?\(\s*\\s\s*\\up\s*\d+\s*\(([^()]*)\)\s*[;,]([^()]*)\)/gi;

function equationOf(code: string): string {
  return code
    .replace(/\\\*\s*(?:"[^"]*"|\S+)/g, '')
    .replace(RUBY, '$2($1)')
    .replace(FRACTION, '$1/$2')
    .replace(ROOT, '$1$2√(')
    .replace(/\\[a-z]+\d*\s*/gi, '')
    .trim();
}
