// Every path, link, npm script, environment variable and name in code font that a document mentions exists in the
// repository. Each row of docs/comparison.md says of Citewell what docs/features.json says, and its evidence exists: the
// title of a test, or a text in another file. Exits with 1 and prints what is wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file));
const documents = files.filter(
  (file) => file.endsWith('.md') && !/^\.changeset\/|CHANGELOG|\/test-pages\/.*\.expected\.md$/.test(file),
);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** All words of the source. */
const words = new Set(
  files
    .filter((file) => /\.(?:m?[jt]sx?|cjs|json|ya?ml|py|sh|html)$|Dockerfile|\.env\.example$/.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
);

const ROOTS = /^(?:apps|packages|scripts|docs|infra|bench|e2e|patches)\//;
const IS_FILE = /^[\w./-]+\.(?:m?[jt]sx?|cjs|css|sh|ya?ml|md)$/;
/** Documents name a file by its path, by the end of its path, or from its package: `connection/sql.ts`, `crawler/page/x.ts`. */
const paths = files
  .flatMap((file) => [file, file.replace(/^(?:apps|packages)\/(?:worker-)?([\w-]+)\/src\//, '$1/')])
  .map((file) => `/${file}/`)
  .join('\n');
/** Names of other projects, files of examples, and output that is not committed. */
const ELSEWHERE = new Set([
  'BARE_METAL.md',
  'ETL_TYPE',
  'apps/cli/release',
  'ask.mjs',
  'dist/widget.js',
  'e2e/screenshots',
  'guide.mts',
  'manual/engine/oil.md',
  'packages/contracts/release',
  'packages/sdk/release',
  'x.docx.expected.md',
  'x.int.spec.ts',
  'x.spec.ts',
]);
/** Data directories, and folders of output. */
const IS_WRITTEN = /^(?:postgres|vectors|screenshots)\/$/;
const IS_FOLDER = /^[a-z][\w-]*(?:\/[\w-]+)*\/$|^src\//;
const IS_EXAMPLE = /\brecount|\bsrt\b/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$/;
const IS_NAME = /[a-z][A-Z]|^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|\(\)$/;

/** @returns what is wrong with a piece of text in code font, or `null` */
function wrongCode(code) {
  if (ELSEWHERE.has(code) || IS_EXAMPLE.test(code) || code.startsWith('/')) return null;
  const script = /^npm run ([\w-]+)(?: -- ([a-z][\w-]*))?/.exec(code);
  if (script !== null) {
    if (!(script[1] in scripts)) return `no script ${script[1]}`;
    if (script[1] === 'bench' && script[2] !== undefined && !words.has(script[2].split('-')[0]))
      return `no bench ${script[2]}`;
    return null;
  }
  if (ROOTS.test(code) || IS_FILE.test(code) || (IS_FOLDER.test(code) && !IS_WRITTEN.test(code))) {
    const path = code.replace(/^\.\/|\/$/g, '');
    return /[*{<… ]|\/dist\//.test(path) || paths.includes(`/${path}/`) ? null : 'no such path';
  }
  if (!IDENTIFIER.test(code) || !IS_NAME.test(code)) return null;
  const missing = code
    .replace(/\(\)$/, '')
    .split('.')
    .find((part) => !words.has(part));
  return missing === undefined ? null : `no name ${missing}`;
}

function wrongLink(target, directory) {
  if (/^[a-z]+:|^#|^\//.test(target)) return null;
  return existsSync(join(directory, decodeURI(target.split('#')[0]))) ? null : 'no such file';
}

let findings = 0;
for (const document of documents) {
  const directory = dirname(document);
  let isFenced = false;
  readFileSync(document, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (/^\s*```/.test(line)) {
        isFenced = !isFenced;
        return;
      }
      const mentions = isFenced
        ? [...line.matchAll(/npm run [\w-]+(?: -- [a-z][\w-]*)?/g)].map(([code]) => [code, wrongCode(code)])
        : [
            ...[...line.matchAll(/`([^`]+)`/g)].map(([, code]) => [code, wrongCode(code)]),
            ...[...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => [
              target,
              wrongLink(target, directory),
            ]),
          ];
      for (const [text, wrong] of mentions)
        if (wrong !== null) {
          findings += 1;
          console.log(`${document}:${index + 1} ${text}: ${wrong}`);
        }
    });
}
/** The first two cells of a row of the comparison. Cells contain no `|`. */
const ROW = /^\| \*\*(.+?)\*\* \| (.+?) \|/gm;
const rows = [...readFileSync('docs/comparison.md', 'utf8').matchAll(ROW)].map(([, ...cells]) => cells);
const features = JSON.parse(readFileSync('docs/features.json', 'utf8'));
for (let at = 0; at < Math.max(rows.length, features.length); at++) {
  const { feature, citewell, evidence = [] } = features[at] ?? {};
  const differs = rows[at]?.[0] !== feature || rows[at]?.[1] !== citewell;
  const missing = evidence.filter((one) => !isEvident(one)).map(({ file, text }) => `${file}: ${text}`);
  for (const wrong of [
    ...(differs ? [`differs from docs/comparison.md: ${rows[at]?.join(' | ')}`] : []),
    ...(evidence.length === 0 ? ['no evidence'] : []),
    ...missing.map((one) => `no such evidence: ${one}`),
  ]) {
    findings += 1;
    console.log(`docs/features.json, row ${at + 1}, ${feature}: ${wrong}`);
  }
}
process.exit(findings === 0 ? 0 : 1);

/** A test file contains the text as a whole title, in quotes. */
function isEvident({ file, text }) {
  const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isTest = /\.(?:spec|spec-part|e2e|suite)\.tsx?$/.test(file);
  return content.includes(isTest ? `'${text}'` : text);
}
