// Prepares a release: moves the sentences of the changesets to CHANGELOG.md, sets the version, also of the Helm chart, and
// writes the OpenAPI document with which later changes are compared.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import './write-openapi.mjs';

const CHANGELOG = 'CHANGELOG.md';

const files = readdirSync('.changeset').filter((name) => name.endsWith('.md') && name !== 'README.md');
const sentences = files.sort().map((name) => textOf(readFileSync(`.changeset/${name}`, 'utf8')));
const { status } = spawnSync('npx', ['changeset', 'version'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const { version } = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8'));
const CHART = 'infra/helm/citewell/Chart.yaml';
writeFileSync(CHART, readFileSync(CHART, 'utf8').replaceAll(/^(version|appVersion): .*/gm, `$1: ${version}`));
const [introduction, ...versions] = readFileSync(CHANGELOG, 'utf8').split(/^(?=## )/m);
const list = sentences.map((sentence) => `- ${sentence.replaceAll('\n', '\n  ')}\n`).join('');
const title = `## ${version}, ${new Date().toISOString().slice(0, 10)}`;
writeFileSync(CHANGELOG, [introduction, `${title}\n\n${list}\n`, ...versions].join(''));

/** The text after the front matter, which names the packages. */
function textOf(changeset) {
  return changeset.replace(/^---\n.*?\n---\n/s, '').trim();
}
