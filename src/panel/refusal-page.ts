interface Refused {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  readonly loginAddress: string | null;
  /** The link elements of the panel: its style sheet and its icon. */
  readonly links: string;
}

/**
 * The login page with the path to return to. The fragment replaces that of the page, which browsers would add
 * otherwise.
 */
export function loginAddress(loginUrl: string, returnTo: string): string {
  const address = loginUrl.replace(/#.*$/s, '');
  const mark = address.includes('?') ? '&' : '?';
  return `${address}${mark}return_to=${encodeURIComponent(returnTo)}#login`;
}

/** The page for a browser that may not open the panel, without any script. */
export function refusalPage({ status, message, requestId, loginAddress: login, links }: Refused): string {
  const link =
    login === null ? '' : `<p><a class="button primary" href="${escapeHtml(login)}">Log in</a></p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${TITLES[status] ?? OTHER_TITLE} · Guardrails</title>
    ${links}
  </head>
  <body>
    <main class="refusal">
      <h1>${TITLES[status] ?? OTHER_TITLE}</h1>
      <p>${escapeHtml(status === 401 ? howToLogIn(login) : message)}</p>
      ${status === 401 || status === 403 ? link : ''}
      <p class="muted small">Status ${status}, request <span class="mono">${escapeHtml(requestId)}</span></p>
    </main>
  </body>
</html>
`;
}

const OTHER_TITLE = 'The panel cannot be opened';

const TITLES: Readonly<Record<number, string>> = {
  401: 'You are not logged in',
  403: 'Your account may not open the panel',
  429: 'Too many requests',
  503: 'The service is not available',
};

function howToLogIn(login: string | null): string {
  return login === null
    ? 'Log in to this application in another tab, then reload this page. If the application has a login page, its developers can set panel.login_url, so that the panel leads to it. If it needs a bearer token instead of a cookie, they can set panel.auth to bearer.'
    : 'Log in, and this page opens. If it does not open although you are logged in, the session cookie is not sent to this path: ask the deployer of this application.';
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
