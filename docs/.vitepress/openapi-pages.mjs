// Renders the OpenAPI document as Markdown, so that it has the theme, the search and the links of the other pages.

const FOLDER = 'reference/http';

/** The pages by path below docs: an index, and one page for each tag. */
export function openApiPages(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const pages = Object.fromEntries(
    document.tags.map(({ name }) => {
      const own = operations.filter(({ tags }) => tags.includes(name));
      return [
        `${FOLDER}/${name}.md`,
        page([`# HTTP: ${name}`, ...own.flatMap((one) => operationParts(one, document))]),
      ];
    }),
  );
  return { ...pages, [`${FOLDER}/index.md`]: page(indexParts(document, operations)) };
}

const page = (parts) => `${['---\neditLink: false\n---', '::: v-pre', ...parts, ':::'].join('\n\n')}\n`;

function indexParts({ info, servers }, operations) {
  return [
    '# HTTP routes',
    `${info.summary} ${info.description}`,
    `All paths are below \`${servers[0].url}\`. These pages are made from the [OpenAPI document](${process.env.SITE_BASE ?? '/'}openapi.json){target="_self"}, which a host serves at \`/guardrails/openapi.json\`. The [HTTP contract](../contract.md) has what a schema cannot say.`,
    table(
      ['Route', 'Description'],
      operations.map(({ method, path, summary, tags: [tag] }) => [
        `[\`${method} ${path}\`](./${tag}.md#${anchor(method, path)})`,
        prose(summary),
      ]),
    ),
  ];
}

const anchor = (method, path) =>
  `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

function operationParts(operation, document) {
  const {
    method,
    path,
    summary,
    description,
    operationId,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  // Every route has it; the index describes it.
  const own = parameters.map((one) => resolve(one, document)).filter(({ name }) => name !== 'X-Request-Id');
  const success = Object.entries(responses).filter(([status]) => status < 300);
  const errors = Object.entries(responses).filter(([status]) => status >= 400);
  return [
    `## \`${method} ${path}\``,
    [`${prose(summary)}.`, description && prose(description), `Name: \`${operationId}\`.`]
      .filter(Boolean)
      .join(' '),
    ...section(
      'Parameters',
      ['Name', 'Type', 'Description'],
      own.map(({ name, in: place, schema, description: about = '' }) => [
        `\`${name}\`${place === 'query' ? '' : ` (in the ${place})`}`,
        typeOf(schema, document),
        prose(about),
      ]),
    ),
    ...bodyParts('Body', requestBody, document),
    ...success.flatMap(([status, one]) => bodyParts(`Answer ${status}`, resolve(one, document), document)),
    `**Errors:** ${errors.map(([status, one]) => `\`${status}\` ${prose(resolve(one, document).description).replace(/\.$/, '')}`).join(' · ')}`,
  ];
}

function bodyParts(title, body, document) {
  return Object.entries(body?.content ?? {}).flatMap(([type, { schema = {}, example, examples }]) => {
    const { properties } = resolve(schema, document);
    // Every answer has the same envelope.
    const isEnvelope = properties?.schema_version !== undefined && properties.data !== undefined;
    const shown = example ?? Object.values(examples ?? {})[0]?.value;
    return [
      ...section(
        isEnvelope ? `${title}, in \`data\`` : `${title} (\`${type}\`)`,
        ['Field', 'Type', 'Description'],
        fields(isEnvelope ? properties.data : schema, document),
      ),
      ...(shown === undefined
        ? []
        : [
            `::: details Example\n\`\`\`json\n${typeof shown === 'string' ? shown.trim() : JSON.stringify(shown, null, 2)}\n\`\`\`\n:::`,
          ]),
    ];
  });
}

/** A row for each field, those of objects and lists below it included. */
function fields(schema, document, prefix = '') {
  const { properties, required = [], items, anyOf, oneOf } = resolve(schema, document);
  if (items !== undefined) return fields(items, document, `${prefix}[]`);
  const variants = (anyOf ?? oneOf ?? []).flatMap((one) => fields(one, document, prefix));
  const rows = Object.entries(properties ?? {}).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const { description = '' } = { ...resolve(value, document), ...value };
    const mark = required.includes(name) ? '' : ' (optional)';
    return [
      [`\`${path}\`${mark}`, typeOf(value, document), prose(description)],
      ...fields(value, document, path),
    ];
  });
  return [...rows, ...variants].filter(
    ([name], index, all) => all.findIndex(([other]) => other === name) === index,
  );
}

function typeOf(schema, document) {
  const { type, const: constant, enum: values, items, anyOf, oneOf, format } = resolve(schema, document);
  const union = (members) => [...new Set(members)].join(' or ');
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return union(values.map((value) => `\`${JSON.stringify(value)}\``));
  if (anyOf ?? oneOf) return union((anyOf ?? oneOf).map((one) => typeOf(one, document)));
  const names = [type ?? 'any']
    .flat()
    .map((name) => (name === 'array' ? `list of ${typeOf(items ?? {}, document)}` : name));
  return `${union(names)}${format === undefined ? '' : ` (${format})`}`;
}

function resolve(value, document) {
  if (value.$ref === undefined) return value;
  const target = value.$ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], document);
  return resolve(target, document);
}

const section = (title, head, rows) => (rows.length === 0 ? [] : [`**${title}**`, table(head, rows)]);

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n');

/** Outside of code, `<` would begin an element. */
const prose = (text) => text.replaceAll(/(`[^`]*`)|</g, (_, code) => code ?? '&lt;');
