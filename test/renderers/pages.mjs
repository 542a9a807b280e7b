// Pages of a chat in Chromium, one for each program that runs in the page: none, KaTeX, MathJax 3 and 4, Mermaid.
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

// Not HTTPS, where Chromium would block some requests before they can be counted.
const HOME = 'http://chat.example';
const PACKAGES = new URL('node_modules/', import.meta.url).pathname;
const TYPES = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

const HEADS = {
  plain: '',
  katex: `<script type="module">
    import katex from '/packages/katex/dist/katex.mjs';
    import renderMathInElement from '/packages/katex/dist/contrib/auto-render.mjs';
    const options = { trust: true, throwOnError: false, strict: 'ignore' };
    const delimiters = [['$$', '$$', true], ['\\\\[', '\\\\]', true], ['\\\\(', '\\\\)', false], ['$', '$', false],
      ['\\\\begin{equation}', '\\\\end{equation}', true], ['\\\\begin{align}', '\\\\end{align}', true]]
      .map(([left, right, display]) => ({ left, right, display }));
    console.warn = () => {};
    console.error = () => {};
    window.run = (element) => renderMathInElement(element, { ...options, delimiters });
    window.runTex = (element, tex) => katex.render(tex, element, options);
    window.isReady = true;
  </script>`,
  mathjax3: mathJaxHead('mathjax3/es5/tex-chtml.js'),
  mathjax4: mathJaxHead('mathjax/tex-chtml.js'),
  'mermaid strict': mermaidHead('strict'),
  'mermaid loose': mermaidHead('loose'),
};

function mathJaxHead(file) {
  return `<script>
    window.MathJax = {
      loader: { paths: { fonts: '${HOME}/packages/@mathjax', 'mathjax-newcm': '${HOME}/packages/@mathjax/mathjax-newcm-font' } },
      tex: { inlineMath: [['$', '$'], ['\\\\(', '\\\\)']] },
      options: { enableMenu: false, enableExplorer: false, enableSpeech: false, enableBraille: false, enableAssistiveMml: false },
      startup: { typeset: false, ready() {
        MathJax.startup.defaultReady();
        MathJax.startup.promise.then(() => { window.isReady = true; });
      } },
    };
    window.runAll = async (elements) => {
      try {
        await MathJax.typesetPromise(elements);
      } catch {
        for (const element of elements) await MathJax.typesetPromise([element]).catch(() => {});
      }
    };
    window.clear = () => { MathJax.typesetClear(); MathJax.texReset(); };
    window.runTex = async (element, tex) => element.append(await MathJax.tex2chtmlPromise(tex));
  </script><script src="/packages/${file}"></script>`;
}

function mermaidHead(securityLevel) {
  return `<script type="module">
    import mermaid from '/packages/mermaid/dist/mermaid.esm.min.mjs';
    mermaid.initialize({ startOnLoad: false, securityLevel: '${securityLevel}', suppressErrorRendering: true });
    console.error = () => {};
    let number = 0;
    window.run = async (element) => {
      for (const code of element.querySelectorAll('pre code')) {
        if (!/(?:^|[\\s-])(?:mermaid|mmd)(?:$|\\s)/i.test(code.className)) continue;
        try {
          const { svg, bindFunctions } = await mermaid.render('diagram' + number++, code.textContent);
          const figure = document.createElement('figure');
          figure.innerHTML = svg;
          code.closest('pre').replaceWith(figure);
          bindFunctions?.(figure);
        } catch {}
      }
    };
    window.isReady = true;
  </script>`;
}

/** Milliseconds for one batch. */
const LONGEST = 120_000;

function within(time, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${time} ms`)), time);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export async function openPages() {
  const launch = () =>
    chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  let browser = await launch();
  /** @type {Map<string, Awaited<ReturnType<typeof open>>>} */
  const opened = new Map();

  async function open(name) {
    const context = await browser.newContext();
    const state = { requests: [], ran: [] };
    await context.exposeBinding('noteRun', (_, what, index) =>
      state.ran.push({ index, what: `ran ${what}` }),
    );
    await context.addInitScript(() => {
      for (const call of ['alert', 'confirm', 'prompt', 'print', 'msgbox']) {
        window[call] = () => {
          window.noteRun(call, window.shownIndex ?? null);
        };
      }
      window.open = (url) => {
        window.noteRun(`open ${url}`, window.shownIndex ?? null);
        return null;
      };
    });
    await context.route('**/*', (route) => answer(route, name, state));
    const page = await context.newPage();
    page.on('dialog', async (dialog) => {
      state.ran.push({ index: null, what: 'dialog' });
      await dialog.dismiss();
    });
    await page.goto(`${HOME}/threads/${encodeURIComponent(name)}`);
    if (name !== 'plain') await page.waitForFunction(() => window.isReady, undefined, { timeout: 60_000 });
    return { page, context, state };
  }

  /**
   * Shows the items on one page at once.
   * @param {string} name
   * @param {readonly { kind: string, content: string }[]} items
   * @returns {Promise<{ index: number | null, what: string }[]>} What acts, and which item it belongs to where that is certain.
   */
  async function show(name, items) {
    let current = opened.get(name);
    if (current === undefined) {
      current = await open(name);
      opened.set(name, current);
    }
    const { page, context, state } = current;
    state.requests.length = 0;
    state.ran.length = 0;
    try {
      const contents = items.map(({ kind, content }) => ({ kind, content }));
      const found = await within(LONGEST, page.evaluate(showInPage, contents));
      return [...found, ...state.requests, ...state.ran];
    } catch (error) {
      opened.delete(name);
      try {
        await within(5000, context.close());
      } catch {
        await restart();
      }
      return [{ index: null, what: `the page was left: ${String(error).split('\n')[0]}` }];
    }
  }

  /** An attack can block the whole browser. */
  async function restart() {
    opened.clear();
    await within(5000, browser.close()).catch(() => {});
    browser = await launch();
  }

  return {
    show,
    close: () => browser.close(),
    /** The unsanitized text must fail; otherwise a pass proves nothing. */
    async proveThatAttacksAreSeen() {
      const attacks = [
        ['plain', 'html', '<script>alert(1)</script>'],
        ['plain', 'html', '<img src=x onerror=alert(1)>'],
        ['plain', 'html', '<b onmouseover=alert(1)>x</b>'],
        ['plain', 'html', '<a href="javascript:alert(1)">x</a>'],
        ['plain', 'html', '<a href="vscode://evil">x</a>'],
        ['plain', 'html', '<img src="http://evil.test/a">'],
        ['plain', 'html', '<p style="background:url(http://evil.test/a)">x</p>'],
        ['plain', 'html', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
        ['katex', 'text', '\\(\\href{javascript:alert(1)}{x}\\)'],
        ['katex', 'tex', '\\includegraphics{http://evil.test/a}'],
        ['mathjax3', 'text', '\\(\\href{javascript:alert(1)}{x}\\)'],
        ['mathjax3', 'text', '$\\style{background:url(http://evil.test)}{x}$'],
        ['mathjax4', 'html', '<p>$\\href{javascript:alert(1)}{x}$</p>'],
        [
          'mermaid loose',
          'html',
          '<pre><code class="language-mermaid">graph TD\nA[x]\nclick A call alert(1)</code></pre>',
        ],
        [
          'mermaid strict',
          'html',
          '<pre><code class="language-mermaid">flowchart LR\nA@{ img: "http://evil.test/a.png", label: "x" }</code></pre>',
        ],
      ];
      for (const [name, kind, content] of attacks) {
        const found = await show(name, [{ kind, content }]);
        if (found.length === 0) throw new Error(`The page ${name} does not notice ${content}`);
      }
      for (const name of Object.keys(HEADS)) {
        const honest =
          '<p>Words, <a href="https://a.example/">a link</a>, $x^2$</p><pre><code class="language-mermaid">graph TD\nA-->B</code></pre>';
        const found = await show(name, [{ kind: 'html', content: honest }]);
        if (found.length > 0)
          throw new Error(
            `The page ${name} finds ${found.map(({ what }) => what).join(', ')} in harmless HTML.`,
          );
      }
    },
  };
}

async function answer(route, name, state) {
  if (!URL.canParse(route.request().url())) {
    // Chromium asks for hosts that are none, such as one with a space.
    state.requests.push({ index: null, what: `request ${route.request().url()}` });
    return route.abort();
  }
  const url = new URL(route.request().url());
  if (url.origin !== HOME) {
    if (url.protocol === 'data:' || url.protocol === 'blob:') return route.continue();
    state.requests.push({ index: null, what: `request ${url.href}` });
    return route.abort();
  }
  if (url.pathname.startsWith('/packages/')) {
    const path = normalize(join(PACKAGES, decodeURIComponent(url.pathname.slice('/packages/'.length))));
    try {
      return await route.fulfill({
        body: await readFile(path),
        contentType: TYPES[extname(path)] ?? 'application/octet-stream',
      });
    } catch {
      return route.fulfill({ status: 404, body: '' });
    }
  }
  if (
    url.pathname.startsWith('/threads/') &&
    route.request().isNavigationRequest() &&
    route.request().frame().parentFrame() === null
  ) {
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html><head>${HEADS[name]}</head><body><main></main></body></html>`,
    });
  }
  return route.fulfill({ status: 404, body: '' });
}

/** Runs in the page: shows the items, dispatches every event, and returns what can act. */
async function showInPage(items) {
  const main = document.querySelector('main');
  const found = [];
  const note = (what) => found.push({ index: window.shownIndex, what });
  const sections = [];
  const typeset = [];
  window.clear?.();
  main.replaceChildren();
  for (const [index, { kind, content }] of items.entries()) {
    window.shownIndex = index;
    const section = document.createElement('section');
    if (kind === 'html') section.innerHTML = content;
    if (kind === 'text') section.textContent = content;
    main.append(section);
    sections.push(section);
    // Markup from a server runs its scripts; `innerHTML` alone would not.
    for (const script of section.querySelectorAll('script')) {
      const copy = document.createElement('script');
      for (const { name, value } of script.attributes) copy.setAttribute(name, value);
      copy.textContent = script.textContent;
      script.replaceWith(copy);
    }
    try {
      if (kind === 'tex') await window.runTex(section, content);
      else if (window.run) await window.run(section);
      else typeset.push(section);
    } catch {
      // What a program cannot read, it does not show.
    }
  }
  window.shownIndex = null;
  if (window.runAll) await window.runAll(typeset);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ordinary = new Set(['http:', 'https:', 'mailto:', 'tel:']);
  const stop = (event) => event.preventDefault();
  main.addEventListener('submit', stop, true);
  for (const element of main.querySelectorAll('section *')) {
    window.shownIndex = sections.indexOf(element.closest('main > section'));
    for (const { name } of element.attributes)
      if (/^on[a-z]+$/i.test(name)) note(`handler ${element.localName} ${name}`);
    for (const name of ['href', 'xlink:href', 'action', 'formaction']) {
      const value = element.getAttribute(name);
      if (value === null) continue;
      let protocol = '';
      try {
        protocol = new URL(value, document.baseURI).protocol;
      } catch {
        // An address that is none leads nowhere.
        element.addEventListener('click', stop);
        continue;
      }
      if (!ordinary.has(protocol)) note(`link ${element.localName} ${protocol}`);
      // A link that leaves the page is not followed; one that runs code is.
      else element.addEventListener('click', stop);
    }
    for (const event of [
      'mouseover',
      'mouseenter',
      'mousemove',
      'pointerenter',
      'pointerover',
      'focus',
      'focusin',
      'keydown',
      'toggle',
      'error',
      'load',
      'begin',
      'start',
      'animationstart',
    ]) {
      element.dispatchEvent(new Event(event, { bubbles: false, cancelable: true }));
    }
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, view: window });
    if (element.localName === 'a') {
      const value = element.getAttribute('href') ?? element.getAttribute('xlink:href');
      if (value !== null)
        element.addEventListener(
          'click',
          (event) => {
            if (!/^\s*javascript:/i.test(element.href?.baseVal ?? element.href)) event.preventDefault();
          },
          { once: true },
        );
    }
    element.dispatchEvent(click);
  }
  window.shownIndex = null;
  // Requests are reported in order: the earlier ones were reported before this one was answered.
  await fetch('/sentinel');
  await new Promise((resolve) => setTimeout(resolve, 30));
  await fetch('/sentinel');
  return found;
}
