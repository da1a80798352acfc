// The generators: files of the sample project, the commands that build the pages, and the pages with their references.
import { CLASSES, GUIDE, REFERENCE, SETTINGS } from './sample.mjs';
import {
  asciiDoc,
  bangNote,
  fencedNote,
  markdown,
  notebook,
  plainText,
  quotedNote,
  restructuredText,
} from './markup.mjs';
import { braces, cpp, plainText as plainTextOf, python, rust } from './source-code.mjs';

const [KETTLE, THERMOSTAT] = CLASSES;
const guideText = plainText(GUIDE);
const referenceText = plainText(REFERENCE);
const readme = markdown(REFERENCE, quotedNote);

/** The pages of a site with the guide and the reference. */
function prosePages(guide, reference) {
  return {
    guide: { path: guide, text: guideText },
    reference: { path: reference, text: referenceText },
  };
}

/** The pages of the two classes. */
function classPages(pathOf, language) {
  return {
    kettle: { path: pathOf('Kettle'), text: plainTextOf(KETTLE, language) },
    thermostat: { path: pathOf('Thermostat'), text: plainTextOf(THERMOSTAT, language) },
  };
}

const json = (value) => JSON.stringify(value, null, 2);

const mkdocs = (config) => ({
  files: {
    'docs/index.md': markdown(GUIDE, bangNote),
    'docs/reference.md': markdown(REFERENCE, bangNote),
    // JSON is YAML.
    'mkdocs.yml': json({
      site_name: 'Kettle',
      repo_url: 'https://git.example/kettle/kettle',
      edit_uri: 'edit/main/docs/',
      markdown_extensions: ['admonition', 'tables', { toc: { permalink: true } }],
      ...config,
    }),
  },
  commands: ['mkdocs build -q'],
  pages: prosePages('site/index.html', 'site/reference/index.html'),
});

const sphinx = (theme, options = {}) => ({
  files: {
    'conf.py': `project = 'Kettle'\nauthor = 'The authors of Kettle'\nhtml_theme = '${theme}'\nhtml_theme_options = ${json(options)}\n`,
    'index.rst': `${restructuredText(GUIDE)}\n.. toctree::\n   :hidden:\n\n   reference\n`,
    'reference.rst': restructuredText(REFERENCE),
  },
  commands: ['sphinx-build -q . site'],
  pages: prosePages('site/index.html', 'site/reference.html'),
});

export const GENERATORS = {
  asciidoctor: {
    files: { 'guide.adoc': asciiDoc(GUIDE), 'reference.adoc': asciiDoc(REFERENCE) },
    commands: [
      'asciidoctor -a toc=left -a sectanchors -a icons=font -a reproducible guide.adoc reference.adoc',
    ],
    pages: prosePages('guide.html', 'reference.html'),
  },
  docusaurus: {
    files: {
      'docs/guide.md': `---\nslug: /\n---\n\n${markdown(GUIDE, fencedNote)}`,
      'docs/reference.md': markdown(REFERENCE, fencedNote),
      // Without it, the package of the generators would apply, which npm marks as CommonJS.
      'package.json': '{}',
      'docusaurus.config.js': `export default ${json({
        title: 'Kettle',
        url: 'https://kettle.example',
        baseUrl: '/',
        presets: [
          [
            'classic',
            {
              docs: { routeBasePath: '/', editUrl: 'https://git.example/kettle/edit/main/' },
              blog: false,
              pages: false,
            },
          ],
        ],
        themeConfig: {
          announcementBar: { content: 'Version two of the kettle is out' },
          navbar: { title: 'Kettle', items: [{ to: '/', label: 'Guide' }] },
          footer: { copyright: 'The authors of Kettle' },
        },
      })};\n`,
    },
    commands: ['docusaurus build --no-minify'],
    pages: prosePages('build/index.html', 'build/reference/index.html'),
  },
  doxygen: {
    files: {
      'Kettle.hpp': cpp(KETTLE),
      'Thermostat.hpp': cpp(THERMOSTAT),
      'README.md': readme,
      Doxyfile:
        'PROJECT_NAME = Kettle\nINPUT = .\nUSE_MDFILE_AS_MAINPAGE = README.md\nGENERATE_LATEX = NO\nQUIET = YES\nGENERATE_TREEVIEW = YES\nHAVE_DOT = NO\nHTML_TIMESTAMP = NO\n',
    },
    commands: ['doxygen'],
    pages: {
      ...classPages((name) => `html/class${name}.html`, 'cpp'),
      readme: { path: 'html/index.html', text: referenceText },
    },
  },
  javadoc: {
    files: {
      'kettle/Kettle.java': `package kettle;\n\n${braces(KETTLE, 'java')}`,
      'kettle/Thermostat.java': `package kettle;\n\n${braces(THERMOSTAT, 'java')}`,
    },
    commands: ['javadoc -quiet -Xdoclint:none -notimestamp -d site kettle/*.java'],
    pages: classPages((name) => `site/kettle/${name}.html`, 'java'),
  },
  jsdoc: {
    files: {
      'kettle.js': CLASSES.map((type) => braces(type, 'javascript')).join('\n'),
      'README.md': readme,
    },
    commands: ['jsdoc -d site -R README.md kettle.js'],
    pages: {
      ...classPages((name) => `site/${name}.html`, 'javascript'),
      readme: { path: 'site/index.html', text: referenceText },
    },
  },
  mkdocs: mkdocs({}),
  'mkdocs-jupyter': {
    ...mkdocs({}),
    files: {
      'docs/index.ipynb': notebook(GUIDE),
      'docs/reference.ipynb': notebook(REFERENCE),
      'mkdocs.yml': json({
        site_name: 'Kettle',
        theme: { name: 'material', font: false },
        plugins: [{ 'mkdocs-jupyter': { execute: false } }],
      }),
    },
  },
  'mkdocs-material': mkdocs({
    theme: {
      name: 'material',
      font: false,
      features: ['content.code.copy', 'content.action.edit', 'navigation.footer', 'announce.dismiss'],
    },
    markdown_extensions: [
      'admonition',
      'tables',
      { toc: { permalink: true } },
      { 'pymdownx.highlight': { linenums: true } },
      'pymdownx.superfences',
    ],
    extra: {
      consent: {
        title: 'Cookie consent',
        description: 'We use cookies to recognize your repeated visits and preferences.',
      },
    },
  }),
  pdoc: {
    files: { 'kettle.py': CLASSES.map(python).join('\n\n') },
    commands: ['pdoc -o site ./kettle.py'],
    pages: {
      kettle: {
        path: 'site/kettle.html',
        text: CLASSES.map((type) => plainTextOf(type, 'python')).join('\n'),
      },
    },
  },
  rustdoc: {
    files: { 'kettle.rs': CLASSES.map(rust).join('\n') },
    commands: ['rustdoc --crate-type lib -o site kettle.rs'],
    pages: classPages((name) => `site/kettle/struct.${name}.html`, 'rust'),
  },
  sphinx: sphinx('alabaster'),
  'sphinx-furo': sphinx('furo', {
    source_repository: 'https://git.example/kettle/kettle/',
    source_branch: 'main',
    source_directory: 'docs/',
  }),
  typedoc: {
    files: {
      'kettle.ts': [...CLASSES, SETTINGS].map((type) => braces(type, 'typescript')).join('\n'),
      'README.md': readme,
      'package.json': json({ name: 'kettle' }),
      'tsconfig.json': json({ compilerOptions: { strict: true, types: [] }, files: ['kettle.ts'] }),
    },
    commands: [
      'typedoc --logLevel Error --out site --disableGit --sourceLinkTemplate https://git.example/{path} kettle.ts',
    ],
    pages: {
      ...classPages((name) => `site/classes/${name}.html`, 'typescript'),
      settings: { path: 'site/classes/Settings.html', text: plainTextOf(SETTINGS, 'typescript') },
      readme: { path: 'site/index.html', text: referenceText },
    },
  },
  vitepress: {
    files: {
      'guide.md': markdown(GUIDE, fencedNote),
      'reference.md': markdown(REFERENCE, fencedNote),
      '.vitepress/config.mjs': `export default ${json({
        title: 'Kettle',
        markdown: { lineNumbers: true },
        themeConfig: {
          sidebar: [{ text: 'Guide', items: [{ text: 'Descaling', link: '/guide' }] }],
          editLink: { pattern: 'https://git.example/edit/:path' },
        },
      })};\n`,
      'package.json': '{ "type": "module" }',
    },
    commands: ['vitepress build'],
    pages: prosePages('.vitepress/dist/guide.html', '.vitepress/dist/reference.html'),
  },
};
