import { API_ROUTES, type ApiRoute } from '#contracts/api/api.routes.js';
import { DOCUMENT_PATH, isBelow, parentOf, trimSlashes } from '../http/routes.js';

/** The configuration of a panel that is served. */
export interface PanelConfiguration {
  /** Without slashes at its ends. */
  readonly path: string;
  readonly auth: 'session' | 'bearer';
  readonly loginUrl: string | null;
}

interface Given {
  readonly enabled: boolean;
  readonly path: string | null;
  readonly auth: 'session' | 'bearer';
  readonly loginUrl: string | null;
}

interface Api {
  readonly enabled: boolean;
  /** `null` if it is invalid. */
  readonly prefix: string | null;
}

const PATH = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;

/** Checks the settings of the panel, and gives each reason for which it cannot be served. */
export function configurePanel(
  { enabled, path: given, auth, loginUrl }: Given,
  api: Api,
): { readonly panel: PanelConfiguration | null; readonly reasons: readonly string[] } {
  if (!enabled) return { panel: null, reasons: [] };
  if (!api.enabled) return { panel: null, reasons: [WITHOUT_API] };
  if (api.prefix === null) return { panel: null, reasons: [] };
  const path = given === null ? `${parentOf(`/${api.prefix}`).slice(1)}/panel` : trimSlashes(given);
  const reasons = [...invalidPath(path, api.prefix), ...invalidLogin(loginUrl, path)];
  return { panel: reasons.length === 0 ? { path, auth, loginUrl } : null, reasons };
}

const WITHOUT_API =
  'panel.enabled is true, but api.enabled is false, and the panel shows the data of the API: write api: { enabled: true, middleware: [YourAuthGuard] }, or panel: { enabled: false }';

function invalidPath(path: string, prefix: string): readonly string[] {
  if (!PATH.test(path)) {
    return [
      `panel.path is ${JSON.stringify(path)}: write a path of letters, digits and hyphens, such as path: 'guardrails/panel'`,
    ];
  }
  const clash = pathsOfApi(prefix).find((other) => overlaps(other, path));
  return clash === undefined
    ? []
    : [
        `panel.path ${JSON.stringify(path)} overlaps ${JSON.stringify(clash)}, which the API serves: give the panel another path, such as path: 'guardrails/panel'`,
      ];
}

/** Everything that the API of a mount serves: its prefix, and the paths beside it. */
function pathsOfApi(prefix: string): readonly string[] {
  const parent = parentOf(`/${prefix}`).slice(1);
  const beside = Object.values<ApiRoute>(API_ROUTES).flatMap((route) => (route.beside ? [route.path] : []));
  return [prefix, ...[DOCUMENT_PATH, ...beside].map((path) => `${parent}${path}`)];
}

export function overlaps(one: string, other: string): boolean {
  return isBelow(one, other) || isBelow(other, one);
}

/** Browsers read a backslash as a slash, and `//` begins the name of another host. */
const OWN_PATH = /^\/(?![/\\])[^\s\\]*$/;

function invalidLogin(loginUrl: string | null, path: string): readonly string[] {
  if (loginUrl === null) return [];
  const isOwn = OWN_PATH.test(loginUrl);
  if (!isOwn && !(/^https:\/\/[^\s/\\]/.test(loginUrl) && URL.canParse(loginUrl))) {
    return [
      `panel.login_url is ${JSON.stringify(loginUrl)}: write a path of your application, such as login_url: '/login', or an address that begins with https://`,
    ];
  }
  if (isOwn && isBelow(new URL(loginUrl, 'https://host').pathname, `/${path}`)) {
    return [
      `panel.login_url ${JSON.stringify(loginUrl)} is a page of the panel, which needs the login itself: write the path of your login page`,
    ];
  }
  return [];
}
