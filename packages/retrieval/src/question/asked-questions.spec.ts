import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyzedQuestions, askedQuestions, isSmallTalk, MAX_QUESTIONS } from './asked-questions.js';
import { questionTerms } from './question-terms.js';
import { BARE_QUESTIONS, WRAPPINGS } from './wrapped-questions.fixtures.js';

const termsOf = (question: string): string[] => [...questionTerms(question).keys()].sort();
const termsOfAll = (message: string): string[][] => askedQuestions(message).map(termsOf);

describe('askedQuestions', () => {
  for (const [language, wrappings] of Object.entries(WRAPPINGS)) {
    const questions = BARE_QUESTIONS[language] ?? [];
    it.each(Object.entries(wrappings))(`finds the question in ${language} with %s`, (_, wrap) => {
      for (const question of questions) expect(termsOfAll(wrap(question))).toEqual([termsOf(question)]);
    });

    it(`finds three questions in ${language}, in a line and in a list`, () => {
      const three = questions.slice(0, 3);
      const expected = three.map(termsOf);
      expect(termsOfAll(three.join(' '))).toEqual(expected);
      expect(termsOfAll(three.map((question, index) => `${index + 1}. ${question}`).join('\n'))).toEqual(
        expected,
      );
    });
  }

  it.each<[message: string, questions: string[]]>([
    ['notice period', ['notice period']],
    ['error E-1234 when starting the pump', ['error E-1234 when starting the pump']],
    ['First aid kit location', ['First aid kit location']],
    ['Right of withdrawal period?', ['Right of withdrawal period?']],
    ['Highways in Florida?', ['Highways in Florida?']],
    ['请假流程是什么？', ['请假流程是什么？']],
    ['all but the open orders', ['all but the open orders']],
    ['I am new here, but what is the notice period?', ['what is the notice period?']],
    // A condition belongs to its question, background does not.
    ['If I am sick, can I stay home?', ['If I am sick, can I stay home?']],
    ['We moved in May, so what is the notice period?', ['what is the notice period?']],
    [
      'What is the notice period and when does it start?',
      ['What is the notice period and when does it start?'],
    ],
    [
      'What is the notice period, how many vacation days do I get and who approves travel?',
      ['What is the notice period', 'how many vacation days do I get', 'who approves travel?'],
    ],
    [
      'What does the contract say about how long it lasts?',
      ['What does the contract say about how long it lasts?'],
    ],
    ['Who mapped the St. Johns River in 1562?', ['Who mapped the St. Johns River in 1562?']],
    [
      'Is the office open on Saturdays? And on Sundays?',
      ['Is the office open on Saturdays?', 'Is the office open on Saturdays? on Sundays?'],
    ],
    ['> What is the notice period?\nTwo weeks, but who approves it?', ['Two weeks, but who approves it?']],
    [
      'From: a@example.com\nTo: b@example.com\nSubject: Q\n\nWhat is the notice period?',
      ['What is the notice period?'],
    ],
    // Chat, apologies and hurry end where the question begins.
    ['sry for the dumb question lol but when is the showroom open??', ['when is the showroom open??']],
    ['Ich bin im Meeting und brauche es schnell: Wo können Besucher parken?', ['Wo können Besucher parken?']],
    ['Sorry für die Störung: Wo hängt der Verbandskasten?', ['Wo hängt der Verbandskasten?']],
    ['coucouu dsl pour la question mdr mais combien pèse la lampe ?', ['combien pèse la lampe ?']],
    ['在吗 又是我😅 试用期多长啊 完全不知道去哪儿看', ['试用期多长']],
    ['The lamp flickers 😅 how do I replace it?', ['The lamp flickers 😅 how do I replace it?']],
    // The subject of a question is kept.
    ['In the contract: what is the notice period?', ['In the contract: what is the notice period?']],
    [
      'I know the lamp has 11 watts but how much does it weigh?',
      ['I know the lamp has 11 watts but how much does it weigh?'],
    ],
    [
      'Access is denied in the printer settings. What now?',
      ['Access is denied in the printer settings. What now?'],
    ],
    ['Die Lampe flackert. Was kann ich tun?', ['Die Lampe flackert. Was kann ich tun?']],
    [
      'Wie lange gilt das Angebot? Und wie hoch ist die Mahngebühr?',
      ['Wie lange gilt das Angebot?', 'wie hoch ist die Mahngebühr?'],
    ],
    // Requests after words of courtesy.
    ['I would be grateful if you could tell me where visitors park.', ['where visitors park.']],
    [
      'Ich wäre Ihnen dankbar, wenn Sie mir sagen könnten, wer das Budget freigibt.',
      ['wer das Budget freigibt.'],
    ],
    [
      "Je vous serais reconnaissant de bien vouloir m'indiquer quand arrive le colis.",
      ['quand arrive le colis.'],
    ],
    ['Le agradecería que me indicara si hay descuento.', ['hay descuento.']],
    ['お手数ですが、試用期間についてご教示いただけますと幸いです。', ['試用期間']],
    [
      'What is the rent? Let me know if you need anything. I am looking forward to your reply.',
      ['What is the rent?'],
    ],
    // Each of several things is asked for, unless the end belongs to all of them.
    [
      'What are the notice period, the probation period and the core hours?',
      ['What are the notice period', 'What are the probation period', 'What are the core hours'],
    ],
    [
      'What are the causes, symptoms and treatment of gout?',
      ['What are the causes, symptoms and treatment of gout?'],
    ],
    ['急救箱、集合地点和停车场在哪里？', ['急救箱在哪里', '集合地点在哪里', '停车场在哪里']],
    ['公司的地址、电话和邮箱是什么？', ['公司的地址，电话和邮箱是什么？']],
    ['谁是主任，公司哪一年成立的？', ['谁是主任', '公司哪一年成立的？']],
    ['他不知道该怎么做。试用期多长？', ['试用期多长？']],
    // The file of a document is asked for by its name, that of a program is part of texts.
    ['What is in Invoice_10042.pdf?', ['What is in Invoice 10042?']],
    ['会议纪要_2023-03.docx', ['会议纪要 2023-03']],
    ['Summarize Price_list-2024.xlsx.', ['Summarize Price list 2024.']],
    ['Where is tsconfig_base.json?', ['Where is tsconfig_base.json?']],
    ['The coffee machine shows error 42.', ['The coffee machine shows error 42.']],
    ['Hello, who are you?', ['who are you?']],
    ['hi', ['hi']],
    ['', ['']],
  ])('reads %j', (message, questions) => expect(askedQuestions(message)).toEqual(questions));

  // A question that names no subject has that of the sentences before it, or of those after it.
  it.each<[message: string, questions: string[]]>([
    [
      'The printer is jammed. I have called the hotline. How do I fix it?',
      ['The printer is jammed. I have called the hotline. How do I fix it?'],
    ],
    ['How do I fix it? The printer is jammed.', ['The printer is jammed. How do I fix it?']],
    [
      'When does the canteen open? I like soup. And what does that cost?',
      ['When does the canteen open?', 'When does the canteen open? I like soup. what does that cost?'],
    ],
    ["L'imprimante bourre. Comment la réparer ?", ["L'imprimante bourre. Comment la réparer ?"]],
    ['La impresora se atasca. ¿Cómo la arreglo?', ['La impresora se atasca. ¿Cómo la arreglo?']],
    ['打印机又卡纸了。怎么解决？', ['打印机又卡纸了。 怎么解决？']],
    ['我是实习生。怎么申请请假？', ['怎么申请请假？']],
  ])('finds the subject of the question in %j', (message, questions) =>
    expect(askedQuestions(message)).toEqual(questions),
  );

  // A mail below is read only if the text above it asks nothing that can be understood alone.
  it.each<[message: string, questions: string[]]>([
    [
      'FYI, can you answer this?\n\n---------- Forwarded message ---------\nFrom: Tom <t@x.example>\nDate: Mon, 2 Nov 2026\nSubject: quick one\nTo: me\n\nHi,\nWhat is the notice period?\nTom',
      ['What is the notice period?'],
    ],
    [
      'WG:\nVon: Tom Rieder\nGesendet: Montag\nAn: Helpdesk\nBetreff: Frage\n\nWas kostet der Versand?',
      ['Was kostet der Versand?'],
    ],
    [
      'Kannst du das bitte beantworten?\n\nViele Grüße\nAna\n\n-----Ursprüngliche Nachricht-----\nVon: Tom\nGesendet: Montag\nAn: Ana\n\nHallo Ana,\nwie lange gilt die Garantie?',
      ['wie lange gilt die Garantie?'],
    ],
    [
      'Pour info.\n\nDébut du message réexpédié :\n\n> De : Tom\n> Objet : question\n>\n> Combien coûte la livraison ?',
      ['Combien coûte la livraison ?'],
    ],
    [
      '¿Puedes responder a esto?\n\nEl lun, 2 nov 2026 a las 9:00, Tom <t@x.example> escribió:\n> ¿Cuánto dura la garantía?',
      ['¿Cuánto dura la garantía?'],
    ],
    [
      'ご参考まで。答えてもらえますか？\n\n---------- 転送メッセージ ---------\n差出人: 田村\n件名: 質問\n\n保証期間は何年ですか？',
      ['保証期間は何年ですか？'],
    ],
    [
      '供参考，能回答一下吗？\n\n---------- 转发的邮件 ---------\n发件人: 唐\n主题: 问题\n\n保修期多长？',
      ['保修期多长？'],
    ],
    [
      'Please see below.\n\nFrom: Ana\nSent: Monday\nTo: me\n\nForwarding this.\n\nFrom: Tom\nSent: Sunday\nTo: Ana\n\nWhat does the express delivery cost?',
      ['What does the express delivery cost?'],
    ],
    [
      'How do I fix it?\n\nFrom: Tom\nSent: Monday\nTo: me\n\nThe printer is jammed.',
      ['The printer is jammed. How do I fix it?'],
    ],
    [
      'What is the notice period?\n\nFrom: Tom\nSent: Monday\nTo: me\n\nWhen is the summer party?',
      ['What is the notice period?'],
    ],
    [
      'parking permit\n\nFrom: Tom\nSent: Monday\nTo: me\n\nThe summer party is on Friday.',
      ['parking permit'],
    ],
    ['Can you check this lock on the door?', ['Can you check this lock on the door?']],
    ['Navrée d’insister, quand puis-je partir en vacances ?', ['quand puis-je partir en vacances ?']],
    ['Siento ser pesado, dónde pido un programa?', ['dónde pido un programa?']],
    ['不好意思又来打扰了，保修期多长？', ['保修期多长？']],
    ['Et pour finir : quel est le préavis ?', ['quel est le préavis ?']],
  ])('reads the thread of %j', (message, questions) => expect(askedQuestions(message)).toEqual(questions));

  it.each<[message: string, background: string[]]>([
    ['Nearly all entries of my matrix are 0. How can I save memory?', ['0', 'entri', 'matrix', 'near']],
    ['How do I get a refund? I bought a gift card.', ['bought', 'card', 'gift']],
    ['I am a freelancer, so what is the notice period?', ['freelanc']],
    ['Hello! What is the notice period? Thanks a lot', []],
    ['I wanted to ask what the notice period is. Please answer in two sentences.', []],
    ['notice period for freelancers', []],
    ['我是自由职业者。要提前多久通知？', ['业者', '由职', '职业', '自由']],
  ])('finds the background of %j', (message, background) => {
    const [question] = analyzedQuestions(message);
    expect([...(question?.backgroundWeights.keys() ?? [])].sort()).toEqual(background);
  });

  // No word of the subject, no condition and no negation is taken for small talk.
  it.each<[message: string, questions: string[]]>([
    ['Can I bring my dog but not my cat?', ['Can I bring my dog but not my cat?']],
    ['Can I travel without a visa – to China?', ['Can I travel without a visa – to China?']],
    ['Do I get paid, when I am sick?', ['Do I get paid, when I am sick?']],
    [
      'Darf mein Chef bestimmen, wann ich Urlaub nehme?',
      ['Darf mein Chef bestimmen, wann ich Urlaub nehme?'],
    ],
    [
      'Mon employeur peut-il refuser, quand je demande un congé ?',
      ['Mon employeur peut-il refuser, quand je demande un congé ?'],
    ],
    ['En España, ¿cuánto dura la garantía?', ['En España, ¿cuánto dura la garantía?']],
    ['你好，没有护照可以登机吗？', ['没有护照可以登机吗？']],
    ['Guten Tag, muss ich keine Steuern zahlen?', ['muss ich keine Steuern zahlen?']],
    ['Unless I get an answer, can I try again?', ['Unless I get an answer, can I try again?']],
    ['Was passiert, wenn ich nicht antworte?', ['Was passiert, wenn ich nicht antworte?']],
    [
      'What language is the exam in, English or German?',
      ['What language is the exam in, English or German?'],
    ],
    ['May I send customers a thank you email?', ['May I send customers a thank you email?']],
    ['Which monitors are by LG?', ['Which monitors are by LG?']],
    ['Is your support team available at night?', ['Is your support team available at night?']],
    [
      'What information do you need to open an account?',
      ['What information do you need to open an account?'],
    ],
    [
      'I moved house: what is the fee, please? And who pays the fee?',
      ['what is the fee?', 'who pays the fee?'],
    ],
    ['vacation days\nsupport\nparking', ['vacation days support parking']],
    [
      'What are the opening hours? Where is the parking',
      ['What are the opening hours?', 'Where is the parking'],
    ],
    ['TA Luft', ['TA Luft']],
    ['Does Ben work on Sundays?', ['Does Ben work on Sundays?']],
    ['感谢信怎么写？', ['感谢信怎么写？']],
    ['감사 보고서', ['감사 보고서']],
    ['回复时间是多久？', ['回复时间是多久？']],
    ['説明会はいつですか？', ['説明会はいつですか？']],
    [
      'What are the minimum, average and maximum salaries?',
      ['What are the minimum, average and maximum salaries?'],
    ],
    ['Hi, is there a waiting list?', ['is there a waiting list?']],
    ['> Is overtime paid?\nAnd on Sundays?', ['Is overtime paid?', 'Is overtime paid? on Sundays?']],
    ['退款政策\n\n谢谢\n李明\n销售部', ['退款政策']],
    ['notice period\n\nBest regards\nKim Doe\nHead of Sales', ['notice period']],
  ])('keeps what %j asks', (message, questions) => expect(askedQuestions(message)).toEqual(questions));

  it.each<[message: string, asFirst: boolean, later: boolean]>([
    ['Thanks!', true, true],
    ['谢谢', true, true],
    ['Merci beaucoup, bonne journée', true, false],
    ['Hello', true, true],
    ['Thanks, the second one in German', true, false],
    ['in German please', false, false],
    ['Thanks, tell me more', false, false],
    ['yes', false, false],
    ['Why?', false, false],
    ['Hello, who are you?', false, false],
    ['Danke! Was kostet es?', false, false],
    ['thank you page', false, false],
    ['Thanks, and for us?', false, false],
    ['谢谢，为什么', false, false],
    ['Buenos Aires', false, false],
  ])('takes %j for small talk: first %s, later %s', (message, asFirst, later) => {
    expect([isSmallTalk(message, true), isSmallTalk(message, false)]).toEqual([asFirst, later]);
  });

  it('returns a few questions that are not empty, for any message', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ''),
        (message) => {
          const questions = askedQuestions(message);
          expect(questions.length).toBeGreaterThanOrEqual(1);
          expect(questions.length).toBeLessThanOrEqual(MAX_QUESTIONS);
          for (const question of questions) expect(question.trim()).not.toBe('');
        },
      ),
    );
  });
});
