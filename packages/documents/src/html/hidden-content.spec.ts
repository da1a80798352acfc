import { describe, expect, it } from '@jest/globals';
import { readPage } from './read-page.js';

interface Case {
  readonly title: string;
  readonly html: string;
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

const INTRO =
  '<h1>Boat hire</h1><p>We let rowing boats from April to October, with life jackets for all.</p>';

/** The answers are short on purpose: a long text is kept without a label. */
const PANELS: readonly Case[] = [
  {
    title: 'an answer that the button of a heading controls',
    html: `<h3><button aria-expanded="false" aria-controls="s1" id="b1">Deposit?</button></h3>
      <div id="s1" role="region" aria-labelledby="b1" hidden><p>Forty euros.</p></div>`,
    has: ['Deposit?\n\nForty euros.'],
  },
  {
    title: 'an answer after a heading, hidden by a style',
    html: '<h4>Dogs?</h4><div class="x" style="display:none"><p>Welcome.</p></div>',
    has: ['Dogs?\n\nWelcome.'],
  },
  {
    title: 'answers in other languages, after something that can be clicked',
    html: `<div onclick="t(this)">Wann ist offen?</div><div hidden>Ab neun.</div>
      <a href="#" class="q">何時から</a><div style="visibility: hidden">九時</div>
      <div tabindex="0">Horaires</div><div hidden="hidden">De neuf à cinq.</div>`,
    has: ['Ab neun.', '九時', 'De neuf à cinq.'],
  },
  {
    title: 'definitions',
    html: '<dl><dt>Pier</dt><dd style="display:none">Number six.</dd><dt>Fee</dt><dd aria-hidden="true">None.</dd></dl>',
    has: ['- Pier: Number six.', '- Fee: None.'],
  },
  {
    title: 'panels by class',
    html: [
      'collapse',
      'faq__answer',
      'accordion-content',
      'tab-pane fade',
      'MuiCollapse-root',
      'uagb-faq-content',
    ]
      .map(
        (name, index) =>
          `<span>Label</span><div class="${name}" aria-hidden="true" style="display: none">Panel ${index}.</div>`,
      )
      .join(''),
    has: [0, 1, 2, 3, 4, 5].map((index) => `Panel ${index}.`),
  },
  {
    title: 'the target of data-bs-target, of a link to it, of popovertarget and of a script',
    html: `<a data-bs-toggle="collapse" data-bs-target="#t1">A</a><a href="#t2">B</a><button popovertarget="t3">C</button>
      <span onclick="show('t4')">D</span><p>Between.</p>
      <div id="t1" hidden>One.</div><div id="t2" hidden>Two.</div><div id="t3" hidden>Three.</div><div id="t4" hidden>Four.</div>`,
    has: ['One.', 'Two.', 'Three.', 'Four.'],
  },
  {
    title: 'an accordion that is marked as a list of tabs',
    html: `<div role="tablist"><h3 role="tab">Life jackets</h3><div role="tabpanel" aria-hidden="true" style="display:none"><p>In all sizes.</p></div></div>`,
    has: ['Life jackets', 'In all sizes.'],
  },
  {
    title: 'the labels of tabs, and their panels',
    html: `<div role="tablist"><button role="tab" id="u1" aria-controls="v1">Linux</button><button role="tab" id="u2" aria-controls="v2">Windows</button></div>
      <div role="tabpanel" id="v1"><p>Use the shell.</p></div><div role="tabpanel" id="v2" aria-labelledby="u2" hidden><p>Use the installer.</p></div>`,
    has: ['Linux Windows\n\nUse the shell.\n\nUse the installer.'],
  },
  {
    title: 'the label of a button whose panel follows, also without ARIA',
    html: `<button class="accordion">Cancelling</button><div class="panel"><p>Until noon.</p></div>
      <div class="item"><div class="head"><button aria-expanded="false">Children</button></div><div class="body" hidden>From six years.</div></div>`,
    has: ['Cancelling\n\nUntil noon.', 'Children\n\nFrom six years.'],
  },
  {
    title: 'prose in a nav element that opens as a panel',
    html: `<div class="w-dropdown"><div class="w-dropdown-toggle"><div>Night trips?</div></div><nav class="w-dropdown-list"><p>Only with a guide and a lamp on each boat.</p></nav></div>`,
    has: ['Night trips?', 'Only with a guide'],
  },
  {
    title: 'further rows and items, and the rest of a text',
    html: `<table><tr><th>Boat</th><th>Seats</th></tr><tr><td>Gull</td><td>2</td></tr><tr style="display:none"><td>Swan</td><td>4</td></tr></table>
      <ul><li>Oars</li><li hidden>Anchor</li></ul><p>We close early<span id="rest" style="display:none"> when it blows, and open again as soon as the lake is calm.</span></p><button>Read more</button>`,
    has: ['Swan | 4', 'Anchor', 'We close early when it blows, and'],
  },
  {
    title: 'short answers after a question or a label, whatever element it is',
    html: `<p>How far is it?</p><div class="answer" style="display:none">12 km</div>
      <div><span class="q">How long?</span> <span class="a" style="display:none">3 days</span></div>
      <p class="title">Size</p><div class="collapse" hidden>XL</div><p>Fee:</p><ul hidden><li>9 €</li></ul>
      <p><b>料金は？</b></p><div><p hidden>千円。</p></div>`,
    has: ['How far is it?\n\n12 km', 'How long? 3 days', 'Size\n\nXL', 'Fee:\n\n- 9 €', '料金は？\n\n千円。'],
  },
  {
    title: 'the rest of a text that stops before its end',
    html: `<p>The anchor ... <span style="display:none">weighs 7 kg.</span></p><button>Read more</button>
      <div>The oars <div class="more" style="display:none">weigh 2 kg</div></div><button>Show more</button>`,
    has: ['The anchor ... weighs 7 kg.', 'The oars\n\nweigh 2 kg'],
  },
  {
    title: 'panels by their role, after a sentence',
    html: '<p>Choose a lake.</p><div role="tabpanel" hidden>Thun: 9 €.</div><div role="region" hidden>Brienz: 8 €.</div>',
    has: ['Thun: 9 €.', 'Brienz: 8 €.'],
  },
  {
    title: 'a long text without a label',
    html: '<div style="display:none"><p>Boats that come back late cost five euros for every quarter of an hour.</p></div>',
    has: ['Boats that come back late'],
  },
  {
    title: 'a dialog that a button opens',
    html: `<button data-bs-toggle="modal" data-bs-target="#gull">More</button>
      <div class="modal fade" id="gull" role="dialog" aria-hidden="true"><p>The Gull was built in 1962 and has two seats and a sail.</p></div>`,
    has: ['built in 1962'],
  },
  {
    title: 'short dialogs that a click opens, by attributes and by a script',
    html: `<button data-bs-toggle="modal" data-bs-target="#m1">Towing</button><button commandfor="m2" command="show-modal">Dogs</button>
      <button onclick="document.getElementById('m3').showModal()">Fees</button><button onclick="m4.showModal()">Ice</button>
      <a data-micromodal-trigger="m5">Fog</a><a data-toggle="modal" href="#m6">Oars</a><a data-modal-target="#m7">Sails</a>
      <p>Ask at the pier.</p><div class="modal fade" id="m1" role="dialog" aria-hidden="true"><h5>Towing</h5><p>Sixty euros.</p><button>Close</button></div>
      <dialog id="m2"><p>On a lead.</p></dialog><dialog id="m3"><p>Two euros.</p></dialog><dialog id="m4"><p>Not sold.</p></dialog>
      <div class="modal" id="m5" aria-hidden="true"><p>We stay in.</p></div><div id="m6" class="modal" tabindex="-1"><p>Are lent.</p></div>
      <div class="popup" id="m7" style="display:none"><p>Are not.</p></div>`,
    has: [
      'Towing Dogs Fees',
      'Sixty euros.',
      'On a lead.',
      'Two euros.',
      'Not sold.',
      'We stay in.',
      'Are lent.',
      'Are not.',
    ],
  },
  {
    title: 'a dialog beside its button, and a long one whose script is not known',
    html: `<button class="more">Lifebelts</button><dialog><p>Below the seat.</p></dialog><p>Between.</p>
      <dialog class="x"><h2>The Gull</h2><p>The Gull was built in 1962, and has two seats, a sail and a new keel.</p></dialog>`,
    has: ['Below the seat.', 'built in 1962'],
  },
  {
    title: 'text that only screen readers are not told',
    html: '<p>Price: <span aria-hidden="true">12.50 €</span><span class="sr-only">Twelve euros and fifty cents</span></p>',
    has: ['Price: 12.50 €'],
    hasNot: ['Twelve euros'],
  },
];

const NEVER_SEEN: readonly Case[] = [
  {
    title: 'templates and placeholders of templates',
    html: `<template><p>A row of the template that is long enough to count as a text.</p></template>
      <div hidden>The boat {{ boat.name }} has {{ boat.seats }} seats and was built in {{ boat.year }}.</div>`,
    hasNot: ['A row', 'The boat'],
  },
  {
    title: 'fields for robots',
    html: `<div style="display:none"><label>Leave this field empty if you are human: <input type="text" name="url"></label></div>
      <div class="hp" style="position:absolute; left:-5000px" aria-hidden="true">Please do not write anything here.<input name="b_1"></div>
      <p style="position: absolute; left: -9999px">Robots may follow this text, people cannot see it anywhere.</p>`,
    hasNot: ['Leave this', 'Please do not', 'Robots may'],
  },
  {
    title: 'cookie banners, newsletters and messages of forms',
    html: `<div class="cookie-consent" hidden>We use cookies to improve your visit and to measure our reach.</div>
      <div id="newsletter-popup" style="display:none">Subscribe to our letter and get ten per cent off your next trip.</div>
      <div class="form-success" style="display:none">Thank you! Your message has been sent to us, we answer soon.</div>
      <dialog>Please sign in to your account to see all of your bookings here.</dialog>
      <dialog id="c"><h2>Your privacy</h2><p>We and our partners store cookies on your device to measure our reach.</p></dialog>
      <div class="modal" role="dialog" aria-hidden="true"><p>Sign up for our newsletter, and miss no regatta any more this year!</p></div>
      <button data-target="#login">Account</button><div class="modal" id="login" aria-hidden="true"><label>Your name <input type="text"></label></div>
      <a href="#cookie-settings">Privacy</a><div class="modal cookie-modal" id="cookie-settings" hidden>Choose what we may store.</div>`,
    hasNot: ['cookies', 'Subscribe', 'Thank you', 'Please sign in', 'newsletter', 'Your name', 'Choose what'],
  },
  {
    title: 'a menu for small screens',
    html: `<div class="mobile-menu" hidden><a href="/a">Rowing boats</a> <a href="/b">Sailing boats</a> <a href="/c">Opening hours</a></div>
      <div aria-hidden="true"><ul><li><a href="/a">Prices of boats</a></li><li><a href="/b">Prices of trips</a></li><li><a href="/c">Vouchers</a></li></ul></div>`,
    hasNot: ['Rowing boats', 'Vouchers'],
  },
  {
    title: 'what the page shows elsewhere',
    html: `<p>The harbour is closed on Mondays, and in winter on Tuesdays too.</p>
      <div style="display:none">The harbour is closed on Mondays, and in winter on Tuesdays too.</div>
      <p aria-hidden="true">The harbour is closed on Mondays, and in winter on Tuesdays too.</p>`,
    hasNot: ['too.\n\nThe harbour'],
  },
  {
    title: 'names of icons',
    html: '<p><i class="material-icons" aria-hidden="true">expand_more</i> Open</p><span class="icon" aria-hidden="true">chevron</span>',
    hasNot: ['expand_more', 'chevron'],
  },
  {
    title: 'formulas that are written twice',
    html: `<p><span class="katex"><span class="katex-mathml"><math><mi>v</mi></math></span><span class="katex-html" aria-hidden="true"><span>velocity</span></span></span></p>`,
    hasNot: ['velocity'],
  },
  {
    title: 'short messages after a sentence',
    html: `<p>Boats.</p><div hidden>Copied!</div><p>Row <b>slowly!</b></p><div><span hidden>Saved</span></div>
      <p>船です。</p><div hidden>完了</div>`,
    hasNot: ['Copied', 'Saved', '完了'],
  },
];

/** As main content, as an article of a page with a menu, and without any landmark. */
const AROUND: readonly ((html: string) => string)[] = [
  (html) => `<main>${INTRO}${html}</main>`,
  (html) => `<nav><a href="/">Home</a></nav><article>${INTRO}<section>${html}</section></article>`,
  (html) => `<div class="page"><div class="text">${INTRO}${html}</div></div>`,
];

describe('hidden content', () => {
  for (const [group, cases] of Object.entries({ reads: PANELS, 'leaves out': NEVER_SEEN })) {
    for (const { title, html, has = [], hasNot = [] } of cases) {
      it(`${group} ${title}`, async () => {
        for (const around of AROUND) {
          const { document } = await readPage(around(html), { url: 'https://example.org/' });
          for (const text of has) expect(document?.text).toContain(text);
          for (const text of hasNot) expect(document?.text).not.toContain(text);
        }
      });
    }
  }

  it('reads dialogs after the content', async () => {
    const opened = await readPage(
      `<main>${INTRO}<p>${'We open at nine. '.repeat(20)}</p><a data-toggle="modal" data-target="#a">Dogs</a></main><footer>Pier 6</footer>
      <div class="modal fade" id="a" role="dialog"><p>Dogs are welcome.</p></div><div class="modal" role="dialog"><p>Nobody opens this.</p></div>`,
      { url: 'https://example.org/' },
    );
    expect(opened.document?.text).toMatch(/Dogs are welcome\.$/);
  });

  it('reads a page that is hidden until its script has started', async () => {
    const { document } = await readPage(
      `<div class="loader">One moment</div><div id="wrap" style="display:none"><h2>Landing stages</h2><p>There are three.</p></div>`,
      { url: 'https://example.org/' },
    );
    expect(document?.text).toContain('Landing stages\n\nThere are three.');
  });

  it('puts streamed content where its placeholder is', async () => {
    const { document } = await readPage(
      `<main><h1>Boats</h1><template id="B:0"></template><p>End.</p></main><div hidden id="S:0"><p>The Swan seats four.</p></div>`,
      { url: 'https://example.org/' },
    );
    expect(document?.text).toBe('Boats\n\nThe Swan seats four.\n\nEnd.');
  });
});
