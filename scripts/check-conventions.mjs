// Conventions that no rule of the linter covers. Exits with 1 and prints the lines that break one.
import { globSync, readFileSync } from 'node:fs';

const CONVENTIONS = [
  {
    name: 'no decision by the text of an error',
    pattern:
      /(?<!typeof \w+)\.message\s*(?:[!=]==?|\.(?:includes|match|matchAll|startsWith|endsWith|search|indexOf)\()|\.(?:test|exec)\([^()]*\.message\b/,
    reason: 'compare the class, `code` or `name`',
  },
];
const IGNORED = /\.(?:spec|soak|fixtures?|conformance)\.ts$|\/dist\/|\/node_modules\//;

const findings = globSync('{apps,packages}/*/src/**/*.ts')
  .filter((file) => !IGNORED.test(file))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        CONVENTIONS.filter(({ pattern }) => pattern.test(line)).map(
          ({ name, reason }) => `${file}:${index + 1} ${name}: ${reason}`,
        ),
      ),
  );
for (const finding of findings) console.log(finding);
process.exit(findings.length === 0 ? 0 : 1);
