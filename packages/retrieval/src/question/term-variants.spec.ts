import { describe, expect, it } from '@jest/globals';
import { QuestionCoverage } from '../relevance/question-coverage.js';
import { encodeDocumentTerms } from '../sparse/sparse-encoder.js';
import { AnalyzedQuestion } from './analyzed-question.js';

function coverageOf(question: string, text: string): number {
  return new QuestionCoverage(new AnalyzedQuestion(question)).of(encodeDocumentTerms(text).indices);
}

describe('termVariants', () => {
  it.each<[question: string, text: string]>([
    // Verbs.
    ['Was kostet das?', 'Die Kosten sind hoch.'],
    ['Wie hoch sind die kosten?', 'Es kostet 5 Euro.'],
    ['Wie kann ich kündigen?', 'Es wird schriftlich gekündigt.'],
    ['Wann wurde gekündigt?', 'Sie können jederzeit kündigen.'],
    ['Wie oft muss man das entkalken?', 'Alle zwei Monate wird entkalkt.'],
    ['Kann man sie austauschen?', 'Sie werden ausgetauscht.'],
    ['Wann muss ich das zurückgeben?', 'Es ist freitags zurückgegeben.'],
    ['Wann wird es gelöscht?', 'Wir löschen es.'],
    ['Wann ist geöffnet?', 'Wir öffnen um neun.'],
    ['¿Cuánto cuesta?', 'Puede costar caro.'],
    ['¿Cuánto puede costar?', 'Cuesta 5 euros.'],
    ['¿A quién puedo recomendar?', 'Quien recomienda gana.'],
    ['¿A quién envío esto?', 'Se envían aquí.'],
    ['¿Cuándo se borran?', 'Hay que borrar.'],
    ['À qui dois-je envoyer cela ?', 'Ils envoient tout.'],
    ['Comment dois-je détartrer ?', 'Détartrez souvent.'],
    // German compounds.
    ['Wie hoch ist mein Anspruch auf Urlaub?', 'Der Urlaubsanspruch ist hoch.'],
    ['Wie hoch ist mein Urlaubsanspruch?', 'Der Anspruch auf Urlaub ist hoch.'],
    ['Was ist mit dem Expressversand?', 'Der Versand erfolgt per Express.'],
    ['Wie lange ist die Frist der Kündigung?', 'Die Kündigungsfrist ist kurz.'],
    ['Was kostet die Wartung der Anlagen?', 'Die Anlagenwartung kostet viel.'],
  ])('finds the words of %j in %j', (question, text) =>
    expect(coverageOf(question, text)).toBeGreaterThanOrEqual(0.69),
  );

  it.each<[question: string, text: string]>([
    ['What is the target?', 'the targe'],
    ['Do you have a market?', 'the mark'],
    ['Wie ist der Urlaubsanspruch?', 'Er hat keinen Anspruch.'],
    ['Wo ist der Garten?', 'Er hat eine Karte.'],
    ['¿Dónde está la casa?', 'Se van a casar.'],
    ['Où est la carte ?', 'Voici le cartable.'],
  ])('does not find those of %j in %j', (question, text) => expect(coverageOf(question, text)).toBe(0));

  it('counts a variant less than the word, and the word once', () => {
    expect(coverageOf('Wie kann ich kündigen?', 'gekündigt')).toBeCloseTo(0.7);
    expect(coverageOf('Wie kann ich kündigen?', 'gekündigt, kündigen')).toBeCloseTo(1);
  });

  it('has a bounded number of variants for any question', () => {
    const words = Array.from(
      { length: 200 },
      (_, n) => `wort${'abcdefghij'.repeat(6).slice(0, 20 + (n % 30))}`,
    );
    const { variants } = new AnalyzedQuestion(`Was ist der Unterschied von ${words.join(' und ')}?`);
    expect(variants.length).toBeLessThan(2_000);
  });
});
