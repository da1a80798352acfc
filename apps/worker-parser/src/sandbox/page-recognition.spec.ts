import { DocumentError } from '@citewell/documents';
import { expect, it } from '@jest/globals';
import { recognitionError } from './page-recognition.js';

it.each([
  ['PARSE_MEMORY', 'image/png', 'PARSE_MEMORY', /^The picture has too many pixels/],
  ['PARSE_MEMORY', 'application/pdf', 'PARSE_MEMORY', /^own sentence$/],
  ['CORRUPT_FILE', 'image/tiff', 'CORRUPT_FILE', /^own sentence$/],
  ['PARSER_CRASHED', 'image/jpeg', 'OCR_REQUIRED', /text recognition failed on them/],
  ['OCR_REQUIRED', 'application/pdf', 'OCR_REQUIRED', /text recognition failed on them/],
] as const)('%s on each page of %s is %s', (code, fileType, expected, sentence) => {
  const cause = new DocumentError(code, 'scripted', { userMessage: 'own sentence' });
  expect(recognitionError(cause, fileType)).toMatchObject({
    code: expected,
    sentence: expect.stringMatching(sentence),
  });
});
