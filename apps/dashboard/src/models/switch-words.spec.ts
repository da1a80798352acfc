import type { EmbeddingSettings } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import english from '../messages/en.json';
import { createTranslator } from '../messages/translator.js';
import { isSwitching, switchWords } from './switch-words.js';

const READY: EmbeddingSettings = {
  name: 'local',
  chosenBy: 'setting',
  preparation: null,
  documents: { done: 4, failed: 0, total: 4 },
  secondsLeft: null,
  problem: null,
  offers: [],
  server: {
    provider: null,
    model: null,
    baseUrl: null,
    hasKey: false,
    keyEnd: null,
    chosenBy: 'default',
    problem: null,
    providers: [],
  },
};

it.each([
  [{}, false, 'Embedding: 4 of 4 documents', 100],
  [{ documents: { done: 0, failed: 0, total: 0 } }, false, 'Embedding: 0 of 0 documents', 0],
  [{ documents: { done: 1, failed: 0, total: 4 } }, true, 'Embedding: 1 of 4 documents', 25],
  [
    { chosenBy: 'default', documents: { done: 1, failed: 0, total: 4 } },
    false,
    'Embedding: 1 of 4 documents',
    25,
  ],
  [{ documents: { done: 3, failed: 1, total: 4 } }, false, 'Embedding: 3 of 4 documents', 75],
  [
    { documents: { done: 1, failed: 0, total: 4 }, secondsLeft: 61 },
    true,
    'Embedding: 1 of 4 documents · about 2 min left',
    25,
  ],
  [{ preparation: { step: 'downloading', done: 0.5, message: null } }, true, 'Downloading the model', 50],
  [
    { preparation: { step: 'installing', done: null, message: null } },
    true,
    'Installing the packages that run the model',
    null,
  ],
] as [Partial<EmbeddingSettings>, boolean, string, number | null][])(
  'says %j',
  (state, isOn, words, percent) => {
    const settings = { ...READY, ...state };
    expect(isSwitching(settings)).toBe(isOn);
    expect(switchWords(settings, createTranslator('en', english))).toEqual({ words, percent });
  },
);
