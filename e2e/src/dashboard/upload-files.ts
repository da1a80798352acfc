import { buildPdf } from '@citewell/documents/test-files';
import { SAMPLES } from '../fixtures/files.js';

/** One of the sample files. */
export const sample = (name: string): { name: string; mimeType: string; buffer: Buffer } => {
  const file = SAMPLES.find((candidate) => candidate.name === name);
  if (!file) throw new Error(`There is no sample ${name}`);
  return { name, mimeType: file.mimeType, buffer: Buffer.from(file.content) };
};
// Documents of which a passage is more than the sentence that answers.
export const HARBOUR = {
  name: 'harbour.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from(
    '# Harbour of Lindvik\n\n## Fees\n\n**Sailing boats** pay 14 euros a night, whatever their length and their flag.\n\n' +
      '## Water\n\nDrinking water is free. The taps stand beside the office.\n',
  ),
};
export const INSURANCE = {
  name: 'insurance.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    buildPdf([
      [
        { text: 'Insurance of pleasure boats', y: 720 },
        { text: 'The contract ends after a year. The owner pays a premium each quarter.', y: 680 },
        { text: 'Damage by lightning, including that to the electronics on board, is covered.', y: 664 },
        { text: 'Racing needs an addition to the contract, and a captain with a licence for', y: 648 },
      ],
      // The paragraph runs on, and its passage with it.
      [{ text: 'the open sea. Theft of the outboard engine is to be reported to the police.', y: 720 }],
    ]),
  ),
};
export const BROKEN = {
  name: 'broken.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\nnothing'),
};

export const textFile = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
