/** The path as it was sent, undecoded; also of a request line in absolute form. */
export function pathOf(url: string): string {
  return split(url)[0];
}

/** What stands between `?` and `#`. */
export function queryOf(url: string): string {
  return split(url)[1];
}

function split(url: string): readonly [path: string, query: string] {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  return mark < 0 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)];
}
