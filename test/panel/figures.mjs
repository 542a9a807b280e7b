const FIGURE = /\d[\d,]*(?= output|$)|^\d[\d,]*/;

/** For each link to the audit: the figure that it shows, and how many entries its address lists. */
export async function rowsBehind(stage, links, textOf = (link) => link.textContent()) {
  await links.first().waitFor({ state: 'attached' });
  const figures = [];
  for (const link of await links.all()) {
    const href = await link.getAttribute('href');
    const shown = Number(FIGURE.exec(await textOf(link))?.[0].replaceAll(',', ''));
    figures.push({ href, shown, listed: await countRows(stage, href) });
  }
  return figures;
}

async function countRows(stage, href) {
  const query = new URLSearchParams({ control: 'all', limit: '200' });
  for (const [name, value] of new URL(href, stage.demo.url).searchParams) query.set(name, value);
  let listed = 0;
  for (;;) {
    const { data } = await stage.api('ops-1', 'GET', `/audit?${query}`);
    listed += data.entries.length;
    if (data.next_cursor === null) return listed;
    query.set('cursor', data.next_cursor);
  }
}
