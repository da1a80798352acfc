// Writes the classes of `sample.mjs` as source code with documentation comments, and as the plain text that a reader
// of the documentation sees: names, declarations and the comments.

const TYPES = {
  typescript: { text: 'string', number: 'number', flag: 'boolean' },
  javascript: { text: 'string', number: 'number', flag: 'boolean' },
  python: { text: 'str', number: 'float', flag: 'bool' },
  java: { text: 'String', number: 'double', flag: 'boolean' },
  rust: { text: 'String', number: 'f64', flag: 'bool' },
  cpp: { text: 'std::string', number: 'double', flag: 'bool' },
};

/** A method's declaration without its body, by language. */
const DECLARATIONS = {
  typescript: (name, parameters, type) =>
    `${name}(${parameters.map((parameter) => parameter.join(': ')).join(', ')}): ${type}`,
  javascript: (name, parameters) => `${name}(${parameters.map(([parameter]) => parameter).join(', ')})`,
  python: (name, parameters, type) =>
    `def ${name}(self, ${parameters.map((parameter) => parameter.join(': ')).join(', ')}) -> ${type}`,
  java: (name, parameters, type) =>
    `public ${type} ${name}(${parameters.map((parameter) => parameter.toReversed().join(' ')).join(', ')})`,
  rust: (name, parameters, type) =>
    `pub fn ${name}(&self, ${parameters.map((parameter) => parameter.join(': ')).join(', ')}) -> ${type}`,
  cpp: (name, parameters, type) =>
    `${type} ${name}(${parameters.map((parameter) => parameter.toReversed().join(' ')).join(', ')})`,
};

const BODIES = {
  typescript: { text: "return '';", number: 'return 0;', flag: 'return false;' },
  javascript: { text: "return '';", number: 'return 0;', flag: 'return false;' },
  java: { text: 'return "";', number: 'return 0;', flag: 'return false;' },
  rust: { text: 'String::new()', number: '0.0', flag: 'false' },
  cpp: { text: 'return "";', number: 'return 0;', flag: 'return false;' },
};

function declarationOf({ name, parameters, returns }, language) {
  const types = TYPES[language];
  return DECLARATIONS[language](
    name,
    parameters.map(([parameter, type]) => [parameter, types[type]]),
    types[returns[0]],
  );
}

/** The reference of a class. */
export function plainText(type, language) {
  const methods = type.methods.map((method) =>
    [
      declarationOf(method, language),
      ...method.description,
      ...method.parameters.map(([name, , text]) => `${name}: ${text}`),
      method.returns[1],
    ].join('\n'),
  );
  return `${[type.name, ...type.description, ...methods].join('\n\n')}\n`;
}

/** Lines of a documentation comment with tags, as JSDoc, Javadoc and Doxygen have them. */
function comment({ description, parameters = [], returns }, language) {
  const isTyped = language === 'javascript';
  const typed = (type) => (isTyped ? `{${TYPES.javascript[type]}} ` : '');
  const paragraphs = description.map((text, n) => (language === 'java' && n > 0 ? `<p>${text}` : text));
  const tags = parameters.map(([name, type, text]) => `@param ${typed(type)}${name} ${text}`);
  if (returns)
    tags.push(
      `@returns ${typed(returns[0])}${returns[1]}`.replace(
        '@returns',
        language === 'java' ? '@return' : '@returns',
      ),
    );
  return [...paragraphs.flatMap((text) => [text, '']), ...tags];
}

function block(lines, indent) {
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
}

/** A class of TypeScript, JavaScript or Java. */
export function braces(type, language) {
  const methods = type.methods.map(
    (method) =>
      `${block(comment(method, language), '  ')}\n  ${declarationOf(method, language)} { ${BODIES[language][method.returns[0]]} }`,
  );
  const head = { typescript: 'export class', javascript: 'export class', java: 'public class' }[language];
  return `${block(comment(type, language), '')}\n${head} ${type.name} {\n${methods.join('\n\n')}\n}\n`;
}

export function cpp(type) {
  const methods = type.methods.map(
    (method) => `${block(comment(method, 'cpp'), '  ')}\n  ${declarationOf(method, 'cpp')};`,
  );
  return `#pragma once\n#include <string>\n${block(comment(type, 'cpp'), '')}\nclass ${type.name} {\npublic:\n${methods.join('\n\n')}\n};\n`;
}

export function rust(type) {
  const docs = (lines, indent) => lines.map((line) => `${indent}/// ${line}`.trimEnd()).join('\n');
  const methods = type.methods.map((method) => {
    const lines = [
      ...method.description.flatMap((text) => [text, '']),
      ...method.parameters.map(([name, , text]) => `- ${name}: ${text}`),
      '',
      method.returns[1],
    ];
    return `${docs(lines, '    ')}\n    ${declarationOf(method, 'rust')} { ${BODIES.rust[method.returns[0]]} }`;
  });
  const description = docs(
    type.description.flatMap((text) => [text, '']),
    '',
  );
  return `${description}\npub struct ${type.name};\n\nimpl ${type.name} {\n${methods.join('\n\n')}\n}\n`;
}

export function python(type) {
  const docs = (lines, indent) =>
    `${indent}"""\n${lines.map((line) => `${indent}${line}`.trimEnd()).join('\n')}\n${indent}"""`;
  const methods = type.methods.map((method) => {
    const lines = [
      ...method.description.flatMap((text) => [text, '']),
      ...method.parameters.map(([name, , text]) => `- ${name}: ${text}`),
      '',
      method.returns[1],
    ];
    return `    ${declarationOf(method, 'python')}:\n${docs(lines, '        ')}\n        ...\n`;
  });
  return `class ${type.name}:\n${docs(
    type.description.flatMap((text) => [text, '']),
    '    ',
  )}\n\n${methods.join('\n')}`;
}
