// Finds TeX in text as the auto-renderers of KaTeX and MathJax do.
const SPAN =
  /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|(\\begin\{([a-z]+\*?)\}[\s\S]+?\\end\{\5\})|\$([^$]+?)\$/gi;

/** @param {string} text @returns {{ tex: string, display: boolean }[]} */
export function texSpans(text) {
  return [...text.matchAll(SPAN)].map((match) => ({
    tex: match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[6] ?? '',
    display: match[1] !== undefined || match[2] !== undefined || match[4] !== undefined,
  }));
}

/** @param {{ tex: string, display: boolean }[]} spans @param {(tex: string, display: boolean) => string} convert */
export function renderTex(spans, convert) {
  return spans.map(({ tex, display }) => convert(tex, display)).join('\n');
}
