// Where the links of a page lead on the site. Pages are written for the repository, with links between its files.
import { posix } from 'node:path';

/** Pages outside of docs that the site shows, and their addresses below docs. */
export const PROJECT_PAGES = {
  'ARCHITECTURE.md': 'project/architecture.md',
  'CHANGELOG.md': 'project/changelog.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'SECURITY.md': 'project/security.md',
};

/** Files that the site serves as they are. */
const OTHER_FILES = { 'docs/reference/openapi.json': 'reference/http/index.md', 'README.md': 'README.md' };

/**
 * The address on the site for a link of a page below docs. A file that is not on the site leads to the repository;
 * without its address, the result is `null`.
 */
export function siteLink(link, page, repository = process.env.REPOSITORY) {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [path, anchor] = link.split('#');
  const source = Object.keys(PROJECT_PAGES).find((name) => PROJECT_PAGES[name] === page) ?? `docs/${page}`;
  const target = posix.join(posix.dirname(source), path);
  const shown =
    PROJECT_PAGES[target] ??
    OTHER_FILES[target] ??
    (/^docs\/.*\.(?:md|svg|webp)$/.test(target) ? target.slice('docs/'.length) : undefined);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (shown !== undefined) return `/${shown}${hash}`;
  if (!repository) return null;
  // ../../security/… is a page of GitHub.
  return target.startsWith('../../')
    ? `${repository}/${target.slice(6)}`
    : `${repository}/blob/main/${target}${hash}`;
}

/** A plugin of markdown-it. A link without an address becomes plain text. */
export function siteLinks(markdown) {
  // The notes of generated pages are comments for those who edit them.
  markdown.core.ruler.before('normalize', 'note', (state) => {
    state.src = state.src.replaceAll(/^<!--.*-->$/gm, '');
  });
  markdown.core.ruler.push('site_links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children !== null) replaceLinks(children, env.relativePath);
  });
}

function replaceLinks(tokens, page) {
  let isPlain = false;
  for (const token of tokens) {
    const attribute = token.type === 'image' ? 'src' : 'href';
    if (token.type === 'link_open' || token.type === 'image') {
      const address = siteLink(token.attrGet(attribute), page);
      if (address === null && token.type === 'image')
        throw new Error(`${page}: the site has no ${token.attrGet('src')}`);
      isPlain = address === null;
      if (!isPlain) token.attrSet(attribute, address);
    }
    if (isPlain && token.type.startsWith('link_')) {
      isPlain = token.type === 'link_open';
      token.type = 'text';
      token.tag = '';
      token.nesting = 0;
      token.content = '';
    }
  }
}

/** Anchors as on GitHub. */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
