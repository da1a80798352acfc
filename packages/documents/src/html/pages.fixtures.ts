/** A typical page and its expected text. */
export interface PageFixture {
  readonly kind: string;
  readonly url: string;
  readonly html: string;
  readonly title: string;
  readonly language: string;
  /** The expected headings in order. */
  readonly headings: readonly (readonly [level: number, text: string, anchor?: string])[];
  /** Substrings that the text must contain. */
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
}

const DOCS: PageFixture = {
  kind: 'documentation, English',
  url: 'https://docs.kettle.example/guide/descaling',
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Descaling | Kettle Docs</title></head>
<body class="has-sidebar"><a class="skip-link" href="#content">Skip to content</a>
<header class="site-header"><a href="/">Kettle Docs</a><nav><a href="/guide">Guide</a><a href="/api">API</a></nav></header>
<div class="layout" id="skip-to-content"><aside class="sidebar"><ul><li><a href="/guide/boil">Boiling</a></li><li><a href="/guide/descaling">Descaling</a></li></ul></aside>
<main id="content"><nav class="breadcrumbs"><a href="/">Docs</a> / <a href="/guide">Guide</a></nav>
<article><header><h1>Descaling</h1></header>
<p>Lime <em>slows</em> the kettle down. Descale it <strong>every 40 litres</strong>.</p>
<div class="admonition warning"><p>Unplug it first.</p></div>
<section id="install"><h2>Install the tool<a class="hash-link" href="#install" aria-label="Direct link">#</a></h2>
<div role="tabpanel"><pre class="language-sh line-numbers"><code><span class="token function">npm</span> install kettle<br><span class="token comment"># then</span><br>  kettle --version</code></pre><button class="copy-button">Copy</button></div>
<div role="tabpanel" hidden><pre><code>yarn add kettle</code></pre></div></section>
<h2 id="run"><span>Run</span> it</h2><ol><li>Fill with <code>descale()</code>:<pre>await kettle.descale({
  minutes: 20,
});</pre></li><li>Rinse<ul><li>once cold</li><li>once hot</li></ul></li></ol>
<h3 id="options">Options</h3><table><thead><tr><th>Name</th><th>Default</th></tr></thead><tbody><tr><td><code>minutes</code></td><td>20</td></tr><tr><td><code>acid</code></td><td>citric</td></tr></tbody></table>
<dl><dt>minutes</dt><dd>How long it soaks.</dd><dt>acid</dt><dd>What it soaks in.</dd></dl>
<details><summary>Why citric acid?</summary><p>Vinegar smells for 10<sup>2</sup> days.</p></details>
</article><footer><a href="https://git.example/edit">Edit this page</a> Last updated in May</footer>
<nav class="pagination-nav"><a href="/a">Previous: Boiling</a><a href="/b">Next: Storing</a></nav></main>
<div class="tableOfContents_x1"><a href="#top">All about scale</a></div></div>
<footer class="footer">Copyright 2026 Kettle Works</footer></body></html>`,
  title: 'Descaling',
  language: 'en',
  headings: [
    [1, 'Descaling'],
    [2, 'Install the tool', 'install'],
    [2, 'Run it', 'run'],
    [3, 'Options', 'options'],
  ],
  has: [
    'Lime slows the kettle down. Descale it every 40 litres.',
    'Unplug it first.',
    'npm install kettle\n# then\n  kettle --version',
    'yarn add kettle',
    '1. Fill with descale():',
    'await kettle.descale({\n  minutes: 20,\n});',
    '2. Rinse\n  - once cold\n  - once hot',
    'Name | Default\nminutes | 20\nacid | citric',
    '- minutes: How long it soaks.\n- acid: What it soaks in.',
    'Why citric acid?',
    'Vinegar smells for 10^2 days.',
  ],
  hasNot: [
    'Skip to',
    'API',
    'Boiling',
    'Copy',
    'Edit this',
    'Previous',
    'Copyright',
    'Docs /',
    '#install',
    'All about',
  ],
};

const BLOG: PageFixture = {
  kind: 'blog, German, without landmarks',
  url: 'https://www.gartenzeit.example/2026/hochbeet',
  html: `<html lang="de-AT"><head><title>Ein Hochbeet bauen – Gartenzeit</title><meta property="og:site_name" content="Gartenzeit"></head><body>
<div id="cookie-banner">Wir verwenden Cookies. <button>Einverstanden</button></div>
<div id="top"><div class="logo"><a href="/">Gartenzeit</a></div><ul class="menu"><li><a href="/obst">Obst</a></li><li><a href="/gemuese">Gemüse</a></li><li><a href="/kontakt">Kontakt</a></li></ul></div>
<div id="wrap"><div class="post"><h1>Ein Hochbeet bauen</h1><div class="meta">Von Ruth Moser, <time datetime="2026-04-02">2. April 2026</time></div>
<p>Ein Hochbeet schont den Rücken&shy;. Unser Beet steht seit drei Jahren im Garten, und der Salat wächst darin schneller als im Boden, weil die Erde im Frühjahr früher warm wird.</p>
<figure><img src="b.jpg" alt="Hochbeet aus Lärchenholz"><figcaption>Das Beet im <i>zweiten</i> Jahr</figcaption></figure>
<a name="material"></a><h2>Material</h2><ul><li>vier Bretter,<br>je zwei Meter</li><li>Noppenbahn</li></ul>
<p>Die Donau&shy;dampf&shy;schiff&shy;fahrt liefert kein Holz.<br><br>Der Baumarkt schon: H<sub>2</sub>O braucht es auch, und zwar viel davon, besonders im ersten Sommer nach dem Bau.</p>
<blockquote><p>Wer im April pflanzt, erntet im Juni.</p><footer>Meine Großmutter</footer></blockquote>
<div class="share-buttons"><a href="#">Teilen</a> <a href="#">Twittern</a></div></div>
<div class="related-posts"><h3>Das könnte dir auch gefallen</h3><a href="/1">Kompost anlegen</a><a href="/2">Schnecken fernhalten</a></div>
<div id="comments" class="comments-area"><h3>2 Kommentare</h3><p>Sehr schön, danke!</p></div></div>
<div class="sidebar"><form><input type="email" name="e"><label>Newsletter bestellen</label></form></div>
<div id="footer">Impressum · Datenschutz</div></body></html>`,
  title: 'Ein Hochbeet bauen',
  language: 'de-AT',
  headings: [
    [1, 'Ein Hochbeet bauen'],
    [2, 'Material', 'material'],
  ],
  has: [
    'schont den Rücken.',
    'Hochbeet aus Lärchenholz',
    'Das Beet im zweiten Jahr',
    '- vier Bretter,\n  je zwei Meter\n- Noppenbahn',
    'Die Donaudampfschifffahrt liefert kein Holz.\n\nDer Baumarkt schon: H2O braucht es auch',
    'Wer im April pflanzt, erntet im Juni.',
    'Meine Großmutter',
  ],
  hasNot: [
    'Cookies',
    'Obst',
    'Teilen',
    'gefallen',
    'Kompost',
    'Kommentare',
    'danke',
    'Newsletter',
    'Impressum',
  ],
};

const SHOP: PageFixture = {
  kind: 'shop, French',
  url: 'https://boutique.example/bouilloire-x2',
  html: `<!doctype html><html><head><title>Bouilloire X2 : Boutique</title><meta property="og:title" content="Bouilloire X2"><meta property="og:locale" content="fr_FR"></head><body>
<nav role="navigation"><ul><li><a href="/">Accueil</a></li><li><a href="/panier">Panier</a></li></ul></nav>
<ol class="breadcrumb"><li><a href="/cuisine">Cuisine</a></li><li>Bouilloires</li></ol>
<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Bouilloire X2</h1>
<div class="gallery"><img src="1.jpg" alt="Bouilloire X2 en acier"><img src="2.jpg" alt="IMG_2.jpg"></div>
<p class="price"><del>59,90&nbsp;€</del> <ins>49,90&nbsp;€</ins></p>
<form><select><option>Rouge</option></select><input type="text" name="qty"><button>Ajouter au panier</button></form>
<div id="description"><h2>Description</h2><p>Une bouilloire rapide et silencieuse, faite pour durer. Elle chauffe un litre en trois minutes et s’arrête toute seule.</p></div>
<div id="specs"><h2>Caractéristiques</h2><table><caption>Données techniques</caption>
<tr><th>Modèle</th><th colspan="2">Puissance</th></tr><tr><th></th><th>min</th><th>max</th></tr>
<tr><td rowspan="2">X2</td><td>1800 W</td><td>2200 W</td></tr><tr><td>1900 W</td><td>2400 W</td></tr></table>
<table><tr><th>Sans fil</th><td><i class="fa fa-check"></i></td></tr><tr><th>Filtre</th><td><svg aria-label="non"></svg></td></tr></table></div>
<div class="accordion"><h3><button aria-expanded="false">Est-elle garantie ?</button></h3><div class="accordion-panel" style="display:none"><p>Oui, trois ans.</p></div></div>
<div style="display: none">Texte caché</div></div>
<section class="recommendations"><h2>Vous aimerez aussi</h2><a href="/x3">Bouilloire X3</a></section>
<footer>Conditions de vente</footer></body></html>`,
  title: 'Bouilloire X2',
  language: 'fr-FR',
  headings: [
    [1, 'Bouilloire X2'],
    [2, 'Description', 'description'],
    [2, 'Caractéristiques', 'specs'],
    [3, 'Est-elle garantie ?', 'specs'],
  ],
  has: [
    'Bouilloire X2 en acier',
    '49,90 €',
    'Données techniques',
    'Modèle | Puissance min | Puissance max\nX2 | 1800 W | 2200 W\nX2 | 1900 W | 2400 W',
    'Sans fil | ✓\nFiltre | non',
    'Oui, trois ans.',
  ],
  hasNot: [
    '59,90',
    'Accueil',
    'Cuisine',
    'Rouge',
    'Ajouter',
    'IMG_2',
    'Texte caché',
    'aimerez',
    'Conditions',
  ],
};

const FORUM: PageFixture = {
  kind: 'forum, Russian: the comments are the content',
  url: 'https://forum.example/t/77',
  html: `<html lang="ru"><head><title>Чайник не выключается - Форум</title></head><body>
<div class="navbar"><a href="/">Форум</a> <a href="/new">Новое</a> <a href="/login">Войти</a></div>
<h1>Чайник не выключается</h1><div id="thread" class="comments">
<div class="comment" id="post-1"><div class="author"><a href="/u/1">ivan</a></div><div class="comment-body"><p>Купил чайник неделю назад, и он перестал выключаться сам. Что можно проверить до ремонта?</p></div></div>
<div class="comment" id="post-2"><div class="author"><a href="/u/2">olga</a></div><div class="comment-body"><blockquote>перестал выключаться сам</blockquote><p>Проверьте крышку: если она закрыта неплотно, пар не доходит до датчика.</p></div></div>
<div class="comment" id="post-3"><div class="author"><a href="/u/1">ivan</a></div><div class="comment-body"><p>Спасибо, дело было в крышке!</p></div></div>
</div><div id="respond"><form><label>Ваш ответ</label><textarea name="t"></textarea><button>Отправить</button></form></div>
<div class="footer"><a href="/rules">Правила</a></div></body></html>`,
  title: 'Чайник не выключается',
  language: 'ru',
  headings: [[1, 'Чайник не выключается']],
  has: [
    'Купил чайник неделю назад, и он перестал выключаться сам. Что можно проверить до ремонта?',
    'Проверьте крышку: если она закрыта неплотно, пар не доходит до датчика.',
    'Спасибо, дело было в крышке!',
    'olga',
  ],
  hasNot: ['Войти', 'Ваш ответ', 'Отправить', 'Правила'],
};

const NEWS: PageFixture = {
  kind: 'news, Chinese',
  url: 'https://news.example/2026/05/01/dianshuihu',
  html: `<!doctype html><html lang="zh-CN"><head><title>电水壶新标准今日实施_每日新闻</title><meta property="og:site_name" content="每日新闻"><meta property="article:modified_time" content="2026-05-02T08:00:00+08:00"></head><body>
<div class="top-nav"><a href="/">首页</a><a href="/guonei">国内</a><a href="/guoji">国际</a></div>
<div class="main-wrapper"><div class="left"><h1>电水壶新标准今日实施</h1><div class="info">2026年5月1日 来源：每日新闻</div>
<div class="article-content"><p>新的电水壶国家标准今天起正式实施。标准要求电水壶在水烧开后三十秒内自动断电，并对噪音和能效作出规定。</p>
<p>专家<ruby>王<rp>(</rp><rt>wáng</rt><rp>)</rp></ruby>先生表示，新标准将使产品更加安全。<wbr>消费者购买时应查看标签。</p>
<p>据统计，去年全国共销售电水壶约<b>四千万</b>台，其中超过一半符合新标准的要求。</p></div></div>
<div class="right-sidebar"><h3>热门新闻</h3><ul><li><a href="/1">股市今日上涨</a></li><li><a href="/2">明天有雨</a></li><li><a href="/3">地铁新线开通</a></li></ul></div></div>
<div class="ad-banner">广告：买茶叶</div><div class="footer">版权所有</div></body></html>`,
  title: '电水壶新标准今日实施',
  language: 'zh-CN',
  headings: [[1, '电水壶新标准今日实施']],
  has: [
    '新的电水壶国家标准今天起正式实施。',
    '专家王(wáng)先生表示，新标准将使产品更加安全。消费者购买时应查看标签。',
    '约四千万台',
  ],
  hasNot: ['首页', '热门新闻', '股市', '广告', '版权'],
};

export const PAGES: readonly PageFixture[] = [DOCS, BLOG, SHOP, FORUM, NEWS];
