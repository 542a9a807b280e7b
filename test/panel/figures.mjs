const FIGURE = /\d[\d,]*(?= output|$)|^\d[\d,]*/;

/** For each link to the audit: the figure that it shows, and how many entries its address lists. */
export async function rowsBehind(stage, links, textOf = (link) => link.textContent()) {
  await links.first().waitFor({ state: 'attached' });
  const figures = await Promise.all(
    (await links.all()).map(async (link) => ({
      href: await link.getAttribute('href'),
      shown: Number(FIGURE.exec(await textOf(link))?.[0].replaceAll(',', '')),
    })),
  );
  const counted = new Map();
  for (const { href } of figures) if (!counted.has(href)) counted.set(href, await countRows(stage, href));
  return figures.map(({ href, shown }) => ({ href, shown, listed: counted.get(href) }));
}

const HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

async function countRows(stage, href) {
  const query = new URLSearchParams({ control: 'all', limit: '200' });
  for (const [name, value] of new URL(href, stage.demo.url).searchParams) query.set(name, value);
  const last = query.get('last');
  if (last !== null) {
    const start = Math.floor(Date.now() / 60_000) * 60_000 - HOURS[last] * 3_600_000;
    query.delete('last');
    query.set('from', new Date(start).toISOString());
  }
  let listed = 0;
  for (;;) {
    const { data } = await stage.api('ops-1', 'GET', `/audit?${query}`);
    listed += data.entries.length;
    if (data.next_cursor === null) return listed;
    query.set('cursor', data.next_cursor);
  }
}
