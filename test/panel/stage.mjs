const PANEL = '/guardrails/panel';
const API = '/guardrails/api';

const SIZES = {
  phone: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1440, height: 900 } },
};

/** Logged-in cookies by demo and user: every case starts with a session, and only the cases about logging in use the form. */
const sessions = new Map();

/** The demo, and browsers of its users. */
export class Stage {
  /** Uncaught errors and reports of the Content-Security-Policy. */
  problems = [];
  contexts = [];

  /** @param demo `null` for cases with hosts of their own */
  constructor(demo, browser) {
    this.demo = demo;
    this.browser = browser;
  }

  /** The same with another demo. */
  of(demo) {
    return Object.assign(new Stage(demo, this.browser), { problems: this.problems, contexts: this.contexts });
  }

  /** A new browser, logged in as `user` (`null`: not logged in), with an empty page. */
  async browse(user, { size = 'desktop', theme = 'light', ...options } = {}) {
    const context = await this.browser.newContext({
      baseURL: this.demo?.url,
      colorScheme: theme,
      reducedMotion: 'reduce',
      ...SIZES[size],
      ...options,
      ...(user === null ? {} : { storageState: await this.session(user) }),
    });
    this.contexts.push(context);
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    this.watch(page);
    return page;
  }

  /** Opens a screen and waits until nothing is loading. */
  async open(user, path, options) {
    const page = await this.browse(user, options);
    await this.go(page, path);
    return page;
  }

  async go(page, path) {
    await page.goto(`${PANEL}${path === '/' ? '' : path}`);
    await settled(page);
  }

  watch(page) {
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Trusted ?Type/i.test(message.text())) this.problems.push(message.text());
    });
  }

  /** Calls the API as a script: with the token of the user. Returns status and data. */
  async api(user, method, path, body, headers = {}) {
    const response = await fetch(`${this.demo.url}${API}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.demo.credentials[`${user}.token`]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, error } = await response.json();
    return { status: response.status, data, error, etag: response.headers.get('etag') };
  }

  /** Asks the assistant of the demo and returns its turn. */
  async ask(text, user = 'ops-1') {
    const response = await fetch(`${this.demo.url}/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.demo.credentials[`${user}.token`]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ text }),
    });
    return lastEvent(await response.text()).turn;
  }

  /** Makes the assistant ask for a call that needs approval, and returns the id of the approval. */
  async park(text) {
    const turn = await this.ask(text);
    const id = turn.tools.map(({ waiting }) => waiting?.approvalId).find((each) => each !== undefined);
    if (id === undefined) throw new Error(`No call waits: ${JSON.stringify(turn)}`);
    return id;
  }

  async session(user) {
    const key = `${this.demo.url} ${user}`;
    if (!sessions.has(key)) {
      const context = await this.browser.newContext({ baseURL: this.demo.url });
      const page = await context.newPage();
      await page.goto('/login');
      await this.fillLogin(page, user);
      await page.waitForURL(`${this.demo.url}/`);
      sessions.set(key, await context.storageState());
      await context.close();
    }
    return sessions.get(key);
  }

  async fillLogin(page, user) {
    await page.selectOption('#user', user);
    await page.fill('#password', this.demo.credentials[`${user}.password`]);
    await page.click('button[type=submit]');
  }

  async close() {
    for (const context of this.contexts) await context.close();
  }
}

/** The data of the last server-sent event. */
function lastEvent(text) {
  return JSON.parse(text.trimEnd().split('\n').at(-1).slice('data: '.length));
}

/** Waits until the screen has its heading, and shows no placeholder. */
export async function settled(page) {
  await page.waitForSelector('main h1');
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
}
