// Judges rendered HTML: finds everything in it that runs, loads from elsewhere, or leads where it must not.
import { parse } from 'parse5';

/** Where the page of the chat is; relative addresses are resolved against it. */
export const PAGE = 'https://chat.example/threads/1';

/**
 * @typedef {object} Policy
 * @property {readonly string[]} [allowedHosts] Hosts, or `*.` and a domain for all below it.
 * @property {boolean} [isMath] The text is TeX as a whole, so names in the HTML come from the text.
 */

/** Elements that run, load or take over the page. An empty one without attributes does none of it. */
const ACTIVE = new Set(
  (
    'script iframe frame frameset object embed applet portal style link meta base form input button select ' +
    'textarea template slot dialog marquee noscript plaintext xmp listing title param ' +
    'audio video source track picture svg:script svg:foreignobject svg:set svg:animate svg:animatetransform ' +
    'svg:animatemotion svg:image svg:feimage svg:use svg:style svg:handler svg:listener ' +
    'math:maction math:annotation-xml math:style math:script'
  ).split(' '),
);

/** No system opens anything for those behind `tel:`; only programs read them. */
const SCHEMES_OF_LINKS = new Set(
  (
    'http: https: mailto: tel: ' +
    'ws: wss: redis: postgres: postgresql: mysql: mongodb: amqp: s3: git+ssh: tcp:'
  ).split(' '),
);
const LINKS = new Set([
  'href',
  'xlink:href',
  'action',
  'formaction',
  'ping',
  'cite',
  'longdesc',
  'manifest',
  'to',
  'from',
  'values',
]);
const LOADS = new Set([
  'src',
  'srcset',
  'imagesrcset',
  'poster',
  'background',
  'data',
  'lowsrc',
  'dynsrc',
  'codebase',
  'classid',
  'archive',
  'profile',
  'icon',
]);
/** Elements whose `href` is fetched and not followed. */
const FETCH_HREF = new Set([
  'link',
  'image',
  'use',
  'feimage',
  'script',
  'base',
  'mpath',
  'pattern',
  'textpath',
]);
/** What renderers themselves write into `style`: tables, KaTeX and MathJax. */
const STYLES =
  /^(?:text-align|vertical-align|color|background-color|(?:min-|max-)?(?:width|height)|line-height|font-(?:size|family|style|weight)|(?:margin|padding|border)(?:-(?:top|left|right|bottom|width|color|style|radius))*|top|left|right|bottom|position|display|overflow|letter-spacing|list-style(?:-type)?|float|text-decoration|stroke-width|transform|white-space)$/;
const LOADING_STYLE =
  /url\s*\(|image(?:-set)?\s*\(|src\s*\(|cross-fade\s*\(|element\s*\(|@import|expression\s*\(|javascript:/i;

/** Tags of this shape cannot act. If nothing remains after their removal, the HTML is not parsed. */
const PLAIN_TAGS =
  /<\/?(?:p|h[1-6]|ul|ol|li|em|strong|del|s|code|pre|blockquote|table|thead|tbody|tr|th|td|br|hr|sup|sub|span|div|b|i|u|dl|dt|dd|ins|mark)(?: (?:class|align|start)="[\w -]*")*\s*\/?>/g;

/**
 * @param {string} html
 * @param {Policy} [policy]
 * @returns {string[]} What acts; empty where nothing does.
 */
export function actsOf(html, policy = {}) {
  if (!html.replace(PLAIN_TAGS, '').includes('<')) return [];
  /** @type {Set<string>} */
  const acts = new Set();
  const waiting = [parse(`<!doctype html><body>${html}`)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.content) waiting.push(node.content);
    if (node.childNodes) waiting.push(...node.childNodes);
    if (node.tagName !== undefined) inspectElement(node, policy, acts);
  }
  return [...acts];
}

function inspectElement(element, policy, acts) {
  const tag = element.tagName.toLowerCase();
  const space = element.namespaceURI.endsWith('svg')
    ? 'svg:'
    : element.namespaceURI.endsWith('MathML')
      ? 'math:'
      : '';
  const isActive = ACTIVE.has(tag) || ACTIVE.has(space + tag);
  const isEmpty =
    element.attrs.length === 0 && element.childNodes.length === 0 && !element.content?.childNodes.length;
  if (isActive && !isEmpty && !isTaskBox(element, tag)) acts.add(`element ${tag}`);
  for (const { name, prefix, value } of element.attrs) {
    inspectAttribute(tag, (prefix ? `${prefix}:${name}` : name).toLowerCase(), value, policy, acts);
  }
}

/** The box of a task list, which every GFM renderer writes. */
function isTaskBox(element, tag) {
  if (tag !== 'input') return false;
  const names = new Map(element.attrs.map(({ name, value }) => [name, value]));
  return (
    names.get('type') === 'checkbox' &&
    names.has('disabled') &&
    [...names.keys()].every((name) => /^(?:type|disabled|checked|class|style)$/.test(name))
  );
}

function inspectAttribute(tag, name, value, policy, acts) {
  // No event has another name.
  if (/^on[a-z]+$/.test(name)) acts.add(`handler ${tag} ${name}`);
  else if (name === 'style') inspectStyle(tag, value, acts);
  else if (name === 'srcdoc') acts.add(`srcdoc ${tag}`);
  else if (name === 'srcset' || name === 'imagesrcset') {
    for (const part of value.split(',')) inspectLoad(tag, part.trim().split(/\s/)[0] ?? '', policy, acts);
  } else if (LOADS.has(name) || (FETCH_HREF.has(tag) && name.endsWith('href')))
    inspectLoad(tag, value, policy, acts);
  else if (LINKS.has(name)) inspectLink(tag, name, value, policy, acts);
  else if (/url\s*\(/i.test(value) && /^(?:fill|stroke|filter|mask|clip-path|marker.*|cursor)$/.test(name)) {
    inspectStyle(tag, `color: ${value}`, acts);
  } else if (
    policy.isMath &&
    /^(?:id|name|class|data-.*)$/.test(name) &&
    name !== 'data-latex' &&
    // The language of a fence is a class name in every renderer.
    !(tag === 'code' && name === 'class' && value.startsWith('language-')) &&
    /\bevil\b/.test(value)
  ) {
    acts.add(`name from the text ${tag} ${name}`);
  }
}

function inspectLink(tag, name, value, { allowedHosts = [] }, acts) {
  const url = urlOf(value);
  // What no browser can resolve leads nowhere.
  if (url === null) return;
  if (!SCHEMES_OF_LINKS.has(url.protocol)) acts.add(`link ${tag} ${name} ${url.protocol}`);
  else if (
    url.protocol.startsWith('http') &&
    allowedHosts.length > 0 &&
    !isOwn(url) &&
    !isKnown(url, allowedHosts)
  ) {
    acts.add(`host ${tag} ${name} ${url.host}`);
  }
}

function inspectLoad(tag, value, { allowedHosts = [] }, acts) {
  const url = urlOf(value);
  if (url === null || isOwn(url)) return;
  if (url.protocol.startsWith('http') && isKnown(url, allowedHosts)) return;
  acts.add(`load ${tag} ${url.protocol === 'https:' ? 'http:' : url.protocol}`);
}

function inspectStyle(tag, value, acts) {
  const style = value
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .replace(/\\/g, '');
  if (LOADING_STYLE.test(style)) acts.add(`style ${tag} url`);
  for (const declaration of style.split(';')) {
    const [property = '', ...rest] = declaration.split(':');
    const written = property.trim().toLowerCase();
    if (written === '') continue;
    if (!STYLES.test(written)) acts.add(`style ${tag} ${written.slice(0, 30)}`);
    else if (written === 'position' && !/^\s*relative\s*$/i.test(rest.join(':')))
      acts.add(`style ${tag} position`);
  }
}

function characterOf(point) {
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
}

function urlOf(value) {
  try {
    return new URL(value, PAGE);
  } catch {
    return null;
  }
}

function isOwn(url) {
  return url.host === new URL(PAGE).host && url.protocol.startsWith('http');
}

function isKnown({ hostname }, allowedHosts) {
  return allowedHosts.some((name) =>
    name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name,
  );
}
