import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** `npm start` in one terminal and `npx vite` in this folder in another: pages reload when their source changes. */
const API = process.env['CITEWELL_URL'] ?? 'http://127.0.0.1:3000';
const OUT_DIR = 'dist/site';

/** Writes a compressed copy beside each script and style, which the API sends to browsers that accept it. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    closeBundle() {
      const folder = join(OUT_DIR, 'assets');
      for (const name of readdirSync(folder).filter((file) => /\.(?:js|mjs|css)$/.test(file)))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    },
  };
}

export default defineConfig({
  // Scripts find each other by their own address. The server writes the base path into the document.
  base: './',
  plugins: [react(), compressAssets()],
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    manifest: true,
    reportCompressedSize: false,
    // What most pages share is one file: fewer requests, and less than many small ones when compressed.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 8 }] } } },
    // Browsers with `light-dark()`, which would otherwise be replaced by variables that Mantine does not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The worker of pdf.js, which is loaded with the first PDF.
    chunkSizeWarningLimit: 2_000,
  },
  server: { proxy: { '/api': API } },
});
