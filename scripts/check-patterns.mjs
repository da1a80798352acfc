// `npm run check`: no regular expression of production code takes more than linear time. Reads the literals, and records
// the patterns that are put together when modules load. `recheck` decides about each; its verdicts are kept in
// `node_modules/.citewell/patterns.json`, by pattern.
//
// What counts is the time of V8: recheck does not understand that a look-behind ends an attack, as in `(?<!a)a+$`. A pattern
// that recheck calls vulnerable passes if its attack takes at most 50 ms at 100,000 characters, or at most 5 ms at the length that a
// comment above the pattern names as the longest input, as in `// At most 200 characters: a title.`. A pattern that recheck cannot decide
// is attacked with repetitions of its own words and characters.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(root, 'node_modules', '.citewell', 'patterns.json');
/** Of one pattern. Later it counts as not decided. */
const TIMEOUT_MS = 1_500;
/** At the longest input that a comment names, and without a comment. */
const MOST_MS = { named: 5, unnamed: 50 };
/** About the longest text that a pattern meets: an answer of a model. */
const LONGEST_INPUT = 100_000;
const MOST_ATTACKS = 100;
/** A number, or the name of a constant of the code. */
const BOUND = /At most\s+(?:\/\/ )?([\d,]+|[A-Z][A-Z\d_]+)\s+characters/;
const CONSTANT = /^(?:export )?const ([A-Z][A-Z\d_]+) = ([\d_]+)\b/gm;
const QUANTIFIER = /[*+?{]/;
const IGNORED =
  /\.(?:spec|soak|fixtures?|conformance|e2e|child)\.tsx?$|\/(?:test-files|fixtures)\/|^packages\/testing\//;

if (process.argv.includes('--record')) await record(JSON.parse(readFileSync(0, 'utf8')));
else process.exit((await checkPatterns()) === 0 ? 0 : 1);

/** @returns the number of patterns that fail */
async function checkPatterns() {
  const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !IGNORED.test(file),
  );
  const sources = files.map(readSource);
  const constants = new Map(sources.flatMap((source) => source.constants));
  const composed = recordComposed(sources.filter(({ sites }) => sites.length > 0));
  const patterns = [...sources.flatMap(({ literals }) => literals), ...composed.patterns];
  const verdicts = await judge(patterns.filter(({ source }) => QUANTIFIER.test(source)));
  const problems = [...composed.problems];
  for (const pattern of patterns) {
    const verdict = verdicts.get(keyOf(pattern));
    const bound = lengthOf(pattern.bound, constants);
    if (verdict === undefined || verdict.passedAt?.includes(bound)) continue;
    const problem = problemOf({ ...pattern, bound }, verdict);
    if (problem === null) (verdict.passedAt ??= []).push(bound);
    if (problem !== null) problems.push(`${pattern.at}\n  /${pattern.source}/${pattern.flags}\n  ${problem}`);
  }
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(Object.fromEntries(verdicts)));
  for (const problem of problems) console.log(problem);
  console.log(`${patterns.length} patterns, ${problems.length} problems`);
  return problems.length;
}

/** The literals of a file, and where it calls `RegExp`. */
function readSource(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const literals = [];
  const sites = [];
  const lineOf = (node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      literals.push({ at: `${file}:${lineOf(node)}`, source, flags, bound: boundOf(node, text) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp'
    )
      sites.push({ line: lineOf(node), bound: boundOf(node, text) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const constants = [...text.matchAll(CONSTANT)].map(([, name, value]) => [
    name,
    Number(value.replaceAll('_', '')),
  ]);
  return { file, literals, sites, constants };
}

/** The longest input that the comment above a statement, property or member of a list names; null without one. */
function boundOf(node, text) {
  for (let one = node; one !== undefined && !ts.isBlock(one) && !ts.isSourceFile(one); one = one.parent) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, one.getFullStart()) ?? []) {
      const found = BOUND.exec(text.slice(pos, end));
      if (found) return found[1];
    }
  }
  return null;
}

/** The number of a bound. */
function lengthOf(bound, constants) {
  if (bound === null) return null;
  return constants.get(bound) ?? Number(bound.replaceAll(',', ''));
}

/** Imports the compiled modules in a process that records what they pass to `RegExp`. */
function recordComposed(sources) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--enable-source-maps', fileURLToPath(import.meta.url), '--record'],
    { cwd: root, input: JSON.stringify(sources.map(({ file }) => file)), encoding: 'utf8', maxBuffer: 1e8 },
  );
  if (status !== 0) return { patterns: [], problems: [`The modules could not be loaded:\n${stderr}`] };
  const recorded = JSON.parse(stdout);
  const problems = [];
  const patterns = sources.flatMap(({ file, sites }) =>
    sites.flatMap(({ line, bound }) => {
      const made = recorded.filter((one) => one.file === file && one.line === line);
      if (made.length === 0)
        problems.push(
          `${file}:${line}\n  The pattern is not made when the module loads, so it cannot be checked.`,
        );
      return made.map(({ source, flags }) => ({ at: `${file}:${line}`, source, flags, bound }));
    }),
  );
  return { patterns, problems };
}

/** In the process of its own: prints the patterns with the line of the source that made them. */
async function record(files) {
  const recorded = [];
  const Original = RegExp;
  const made = (pattern) => {
    for (const frame of new Error().stack.split('\n').slice(2)) {
      const [, file, line] = /((?:apps|packages)\/[^:)]+\/src\/[^:)]+):(\d+):/.exec(frame) ?? [];
      if (file === undefined) continue;
      recorded.push({ file, line: Number(line), source: pattern.source, flags: pattern.flags });
      break;
    }
    return pattern;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given, called) => made(Reflect.construct(target, given, called)),
    apply: (target, self, given) => made(Reflect.apply(target, self, given)),
  });
  Error.stackTraceLimit = 30;
  for (const file of files)
    await import(pathToFileURL(join(root, file.replace('/src/', '/dist/').replace(/\.tsx?$/, '.js'))).href);
  globalThis.RegExp = Original;
  process.stdout.write(JSON.stringify(recorded), () => process.exit(0));
}

/** The verdicts of recheck, from the cache where it has them. */
async function judge(patterns) {
  // The native checker is much faster than the one in JavaScript, and there is none for Linux on ARM.
  process.env.RECHECK_BACKEND ??=
    process.platform === 'linux' && process.arch !== 'x64' ? 'worker' : 'native';
  const { check } = await import('recheck');
  const cached = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {};
  const verdicts = new Map(patterns.map((pattern) => [keyOf(pattern), cached[keyOf(pattern)]]));
  const waiting = patterns.filter(
    (pattern, index) =>
      verdicts.get(keyOf(pattern)) === undefined &&
      patterns.findIndex((other) => keyOf(other) === keyOf(pattern)) === index,
  );
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      verdicts.set(keyOf(next), await verdictOf(check, next));
  };
  await Promise.all([work(), work()]);
  return verdicts;
}

async function verdictOf(check, { source, flags }) {
  // recheck knows neither: `d` changes no time, and `v` none for the classes that `u` also reads.
  const known = flags.replace('d', '').replace('v', 'u');
  const result = await check(source, known, { timeout: TIMEOUT_MS }).catch((error) => ({
    status: 'unknown',
    error: { kind: error.message },
  }));
  if (result.status === 'safe') return { status: 'safe' };
  if (result.status === 'unknown') return { status: 'unknown', why: result.error.kind };
  const { type, degree, summary } = result.complexity;
  const { pumps, suffix, string } = result.attack;
  return { status: 'vulnerable', type, degree, summary, attack: { pumps, suffix, string } };
}

/** Why a pattern fails; null if it passes. */
function problemOf({ source, flags, bound }, verdict) {
  if (verdict.status === 'safe') return null;
  const pattern = new RegExp(source, flags);
  // V8 compiles a pattern twice: for its first match, and for one of the next.
  for (let time = 0; time < 3; time += 1) pattern.test('aaaaaaaa');
  const attacks = verdict.status === 'vulnerable' ? [attackOf(verdict.attack)] : ownAttacks(source);
  const isSlow = attacks.some((attack) => isSlowBy(attack, pattern, bound));
  if (verdict.type !== 'exponential' && !isSlow) return null;
  return `Not linear (${verdict.summary ?? verdict.why}): write a scanner, or a linear pattern, or bound its input and say so: // At most N characters: …`;
}

/** Whether a match takes too long. The text grows in steps, so that a slow pattern is found before it takes minutes. */
function isSlowBy(attack, pattern, bound) {
  const longest = bound ?? LONGEST_INPUT;
  const mostMs = bound === null ? MOST_MS.unnamed : MOST_MS.named;
  for (let length = 8; ; length = Math.min(longest, length * (length < 100 ? 1.5 : 2.5))) {
    if (attackTime(pattern, attack(Math.floor(length)), mostMs) > mostMs) return true;
    if (length === longest) return false;
  }
}

/** @returns the attack string of recheck of a length, with as many repetitions as fit */
function attackOf({ pumps, suffix, string }) {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  if (pumped === 0) return (length) => string.slice(0, length);
  return (length) => {
    const times = Math.max(0, Math.floor((length - fixed) / pumped));
    return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  };
}

/** Repetitions of the words and characters of a pattern, alone and in pairs. */
function ownAttacks(source) {
  const words = source
    .replace(/\\p\{[^}]*\}|\\[a-zA-Z]|\(\?[a-z:=!<-]+|\{[\d,]+\}/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word.length < 20);
  const signs = source.match(/[^\p{L}\p{N}\s]/gu) ?? [];
  const pieces = [...new Set([' ', '\n', 'a', 'A', '0', ...signs, ...words])];
  const pairs = pieces.flatMap((one) => pieces.map((other) => one + other));
  const step = Math.ceil(pairs.length / MOST_ATTACKS);
  return [...pieces, ...pairs.filter((_, index) => index % step === 0)].map(
    (piece) => (length) => piece.repeat(Math.floor(length / piece.length)),
  );
}

/** The shortest of up to three times, in milliseconds, until the first match in a text. */
function attackTime(pattern, text, enoughMs) {
  let shortest = Infinity;
  for (let time = 0; time < 3 && shortest > enoughMs; time += 1) {
    pattern.lastIndex = 0;
    const started = performance.now();
    pattern.test(text);
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}

function keyOf({ source, flags }) {
  return `/${source}/${flags}`;
}
