import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Reads the public exports from the entries of package.json, and their declarations from dist.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Per entry: who needs it. A new entry of package.json fails until it is described here. */
const ENTRIES = {
  '.': 'The Nest module, its options, decorators, and what hosts extend.',
  './config': 'Settings for `@nestjs/config`.',
  './testing/nest': 'A module for tests of a host.',
  './engine': 'The controls without Nest.',
  './typeorm': 'Stores on PostgreSQL and PGlite, their migrations and their maintenance.',
  './ai-sdk': 'The adapter for the AI SDK.',
  './langchain': 'The adapter for LangChain.',
  './openai-agents': 'The adapter for OpenAI Agents.',
  './mcp': 'The adapter for MCP servers and clients.',
  './opentelemetry': 'Spans and metrics.',
  './client': 'The typed client of the HTTP API, its routes, and the types of its responses.',
  './sinks': 'Receivers of events.',
  './slack': 'Decisions about parked calls in Slack.',
  './contracts': 'Records, store contracts, settings and events, for those who write a store or a sink.',
  './testing': 'The suite that every store must pass.',
};

/**
 * The pages of the reference by file name, as parts of Markdown. An export that several entries have is described on the
 * first of them. Throws if an export has no documentation.
 */
export function apiPages(events) {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const published = Object.keys(manifest.exports).filter((entry) => manifest.exports[entry].types);
  const names = Object.keys(ENTRIES);
  const unknown = [...new Set([...names, ...published])].filter(
    (entry) => !names.includes(entry) || !published.includes(entry),
  );
  if (unknown.length > 0)
    throw new Error(`docs/api-reference.mjs and package.json differ in the entries ${unknown.join(', ')}.`);

  const described = describeExports(names, manifest.exports, events);
  const missing = described.filter(({ sentence }) => sentence === '');
  if (missing.length > 0)
    throw new Error(
      `These exports have no documentation: ${missing.map(({ name, file }) => `${name} (${file})`).join(', ')}. Add a sentence in the source, or remove them from the entry.`,
    );

  const pages = new Map(names.map((entry) => [pageName(entry), entryPage(entry, described)]));
  pages.set('README.md', indexPage(names, described));
  return Object.fromEntries(pages);
}

const pageName = (entry) => `${entry === '.' ? 'module' : entry.slice(2).replaceAll('/', '-')}.md`;
const importName = (entry) => `nest-guardrails${entry.slice(1)}`;

function describeExports(entries, targets, events) {
  const sources = new Map(entries.map((entry) => [entry, sourceOf(targets[entry].types)]));
  const program = ts.createProgram([...sources.values()], compilerOptions());
  const checker = program.getTypeChecker();
  const classes = new Map(events.map((event) => [event.name, event]));
  const found = new Map();
  for (const [entry, source] of sources) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(source));
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const [declaration] = symbol.declarations;
      const file = relative(ROOT, declaration.getSourceFile().fileName);
      const key = `${file}:${symbol.name}`;
      const known = found.get(key);
      if (known !== undefined) {
        known.entries.push(entry);
        continue;
      }
      const event = classes.get(symbol.name);
      const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      found.set(key, {
        name: exported.name,
        file,
        entries: [entry],
        sentence: firstSentence(comment) || (event?.description ?? ''),
        kind: kindOf(declaration),
        signature: withBase(signatureOf(file, symbol.name), event),
      });
    }
  }
  return withAnchors([...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en')));
}

/** The declaration of a class that extends the result of a call names a helper instead of the base class. */
function withBase(signature, event) {
  if (event === undefined) return signature;
  let base = Object.getPrototypeOf(event);
  while (base.name === '') base = Object.getPrototypeOf(base);
  return signature.replace(/ extends \w+_base\b/, ` extends ${base.name}`);
}

const sourceOf = (types) => join(ROOT, types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts'));

function compilerOptions() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), (path) =>
    readFileSync(path, 'utf8'),
  );
  const options = { ...config.compilerOptions, composite: false, incremental: false, noEmit: true };
  return ts.convertCompilerOptionsFromJson(options, ROOT).options;
}

/** The first sentence of a comment. A dot inside of code or a name is not an end. */
function firstSentence(comment) {
  const [paragraph] = comment.split(/\n\s*\n/);
  const text = paragraph.replaceAll(/\s+/g, ' ').trim();
  return /^(?:`[^`]*`|[^`])*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

function kindOf(node) {
  if (ts.isClassDeclaration(node)) return 'class';
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isVariableDeclaration(node)) return 'constant';
  return ts.isInterfaceDeclaration(node) ? 'interface' : 'type';
}

const declarationFiles = new Map();

/** Longer values of constants are cut: the reference pages of routes and settings have them as tables. */
const LONGEST_CONSTANT = 30;

/** The declaration in dist, without private members and the comment before it. */
function signatureOf(file, name) {
  const path = join(ROOT, 'dist', file.replace(/\.ts$/, '.d.ts'));
  let source = declarationFiles.get(path);
  if (source === undefined) {
    source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    declarationFiles.set(path, source);
  }
  const texts = source.statements.filter((statement) => declares(statement, name)).map(shownText);
  if (texts.length === 0) throw new Error(`${relative(ROOT, path)} does not declare ${name}.`);
  return texts.join('\n').replaceAll(/^(?:export )?(?:default )?(?:declare )?/gm, '');
}

function declares(statement, name) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.some((one) => one.name.getText() === name);
  return statement.name?.getText() === name;
}

function shownText(statement) {
  const text = statement.getText();
  if (ts.isVariableStatement(statement)) return cut(text);
  if (!ts.isClassDeclaration(statement)) return text;
  const isPrivate = (member) =>
    member.name?.kind === ts.SyntaxKind.PrivateIdentifier ||
    member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return statement.members.filter(isPrivate).reduceRight((rest, member) => {
    const start = member.getFullStart() - statement.getStart();
    return rest.slice(0, start) + rest.slice(member.end - statement.getStart());
  }, text);
}

function cut(text) {
  const lines = text.split('\n');
  return lines.length > LONGEST_CONSTANT ? `${lines[0].replace(/\{$/, '')}object;` : text;
}

const cell = (text) => text.replaceAll('|', '\\|');

function entryPage(entry, described) {
  const here = described.filter(({ entries }) => entries.includes(entry));
  const rows = here.map(({ name, entries: [first], anchor, kind, sentence }) => {
    const page = first === entry ? '' : pageName(first);
    return `| [\`${name}\`](${page}#${anchor}) | ${kind} | ${cell(sentence)} |`;
  });
  return [
    `# ${importName(entry)}`,
    ENTRIES[entry],
    ['| Export | Kind | Description |', '| --- | --- | --- |', ...rows].join('\n'),
    ...here
      .filter(({ entries: [first] }) => first === entry)
      .flatMap(({ name, sentence, signature }) => [`## ${name}`, sentence, `\`\`\`ts\n${signature}\n\`\`\``]),
  ];
}

/** Adds the anchors that GitHub makes: of names that differ only in case, the second has a number. */
function withAnchors(described) {
  const counts = new Map();
  return described.map((one) => {
    const anchor = one.name.toLowerCase();
    const place = `${one.entries[0]}#${anchor}`;
    const before = counts.get(place) ?? 0;
    counts.set(place, before + 1);
    return { ...one, anchor: before === 0 ? anchor : `${anchor}-${before}` };
  });
}

function indexPage(entries, described) {
  const rows = entries.map((entry) => {
    const count = described.filter((one) => one.entries.includes(entry)).length;
    return `| [\`${importName(entry)}\`](${pageName(entry)}) | ${ENTRIES[entry]} | ${count} |`;
  });
  return [
    '# TypeScript reference',
    'Every public export, by entry of the package. Other names are internal and can change in every version.',
    ['| Import | Contents | Exports |', '| --- | --- | --- |', ...rows].join('\n'),
  ];
}
