// Makes the published form of the library: CommonJS files that `require` and `import` load alike, so that a process has one
// copy of every class, whatever the format of the host and its test runner is. Dependencies are inside; peers are not.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * Packages that are published in both formats must be the copy of an ESM host. Stock Jest has no import(). Stands at the
 * end, so that source maps stay right.
 */
const IMPORT_OR_REQUIRE = `
function importOrRequire(load, loadInJest) {
	return load().catch((error) => {
		if (error?.code !== "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG") throw error;
		return loadInJest();
	});
}
`;
/** Files of their own, without a source map: packages, and data that only programs read. */
const DATA = /\.data\.ts$/;
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

/**
 * Writes a file for the command and for each subpath, the files that they share, and for each subpath a module that exports
 * the same names. Returns what package.json says of them, and the names of the packages inside.
 */
export async function bundle({ exports, bin, imports, peerDependencies, peerDependenciesMeta }, root, dist) {
  const isPeer = (id) => Object.keys(peerDependencies).some((name) => isOf(name, id));
  const isOptional = (id) => Object.keys(peerDependenciesMeta).some((name) => isOf(name, id));
  const entries = Object.entries(exports)
    .filter(([, target]) => typeof target !== 'string')
    .map(([subpath, { types, default: module }]) => ({
      subpath,
      types,
      source: sourceOf(module),
      name: subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-'),
    }));
  const [[command, main]] = Object.entries(bin);
  const subpaths = {
    name: 'package subpaths',
    resolveId(id) {
      const pattern = Object.keys(imports).find((key) => id.startsWith(key.slice(0, -1)));
      if (pattern === undefined) return null;
      return join(root, sourceOf(imports[pattern].default.replace('*', id.slice(pattern.length - 1))));
    },
  };
  const peersInJest = {
    name: 'peers in Jest',
    renderChunk(code) {
      const rendered = code
        // Nest is published in one format, and loads faster so.
        .replaceAll(/\bimport\("(@nestjs\/[^"]+)"\)/g, 'Promise.resolve().then(() => require("$1"))')
        .replaceAll(
          /\bimport\("([^".][^"]*)"\)/g,
          'importOrRequire(() => import("$1"), () => require("$1"))',
        );
      if (rendered === code) return null;
      return { code: rendered + (rendered.includes('importOrRequire') ? IMPORT_OR_REQUIRE : ''), map: null };
    },
  };
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([
      ...entries.map(({ name, source }) => [name, source]),
      [command, sourceOf(main)],
    ]),
    platform: 'node',
    tsconfig: false,
    external: (id) => id.startsWith('node:') || isPeer(id),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2023', decorator: { legacy: true, emitDecoratorMetadata: true } },
    plugins: [subpaths, peersInJest],
  });
  const { output } = await build.generate({
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    codeSplitting: {
      groups: [
        { debugName: 'packages', test: PACKAGE, name: (id) => PACKAGE.exec(id)[1].replace('/', '-') },
        { name: 'data', test: DATA },
        // The client runs in browsers, so it shares only these files.
        { name: 'client', test: /libs\/client|contracts\/src\/(?:api\/|errors\.ts)/, priority: 1 },
        { name: 'contracts', test: /libs\/contracts/ },
      ],
    },
    // Readers have the files themselves. The maps lead a stack trace to the lines of the repository.
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: true,
  });
  const byName = (type) =>
    new Map(output.filter((file) => file.type === type).map((file) => [file.fileName, file]));
  const [chunks, maps] = [byName('chunk'), byName('asset')];
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  for (const { fileName, code, moduleIds } of chunks.values()) {
    const isForeign = moduleIds.every((id) => DATA.test(id) || PACKAGE.test(id));
    const isData = moduleIds.every((id) => DATA.test(id));
    const map = isForeign ? undefined : maps.get(`${fileName}.map`);
    const text = map === undefined ? code.replace(/\n\/\/# sourceMappingURL=.*/, '') : code;
    write(fileName, inAscii(isData ? withoutFunctions(text) : text));
    if (map !== undefined) write(map.fileName, map.source);
  }

  function write(file, text) {
    writeFileSync(join(dist, file), text);
  }

  /** What a file loads at once. */
  function loadedBy(file, seen = new Set()) {
    seen.add(file);
    for (const each of chunks.get(file)?.imports ?? []) if (!seen.has(each)) loadedBy(each, seen);
    return [...seen];
  }

  for (const { name, types } of entries) {
    const file = `${name}.cjs`;
    const names = chunks.get(file).exports.join(', ');
    // Where a bundle throws while an `import` loads it, Node also ends the process. A require lets the host catch it.
    const load = loadedBy(file).some(isOptional)
      ? `import { createRequire } from 'node:module';\nconst bundle = createRequire(import.meta.url)('./${file}');\n`
      : `import bundle from './${file}';\n`;
    write(`${name}.mjs`, `${load}export const { ${names} } = bundle;\n`);
    write(`${name}.d.mts`, `export * from '${types.replace('/dist/', '/').replace(/\.d\.ts$/, '.js')}';\n`);
  }
  return {
    main: './dist/index.cjs',
    bin: { [command]: `dist/${command}.cjs` },
    exports: {
      ...Object.fromEntries(
        entries.map(({ subpath, name, types }) => [
          subpath,
          {
            import: { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` },
            require: { types, default: `./dist/${name}.cjs` },
          },
        ]),
      ),
      './package.json': './package.json',
    },
  };
}

/**
 * Escapes all other characters: V8 keeps a file with one of them in twice the memory. A raw template has no escapes, so it
 * becomes a usual one with double backslashes.
 */
function inAscii(code) {
  const edits = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi: { quasis, start, end } }) {
      if (!/[^\0-\x7f]/.test(code.slice(start, end))) return;
      if (code.slice(tag.start, tag.end) !== 'String.raw')
        throw new Error(`${code.slice(start, end)} is not ASCII.`);
      edits.push([tag, '']);
      for (const each of quasis) edits.push([each, each.value.raw.replaceAll(/[\\`]|\$\{/g, '\\$&')]);
    },
  }).visit(parseSync('chunk.cjs', code).program);
  let edited = code;
  for (const [{ start, end }, text] of edits.toSorted(([one], [other]) => other.start - one.start))
    edited = edited.slice(0, start) + text + edited.slice(end);
  return edited.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isOf(name, id) {
  return id === name || id.startsWith(`${name}/`);
}

function sourceOf(compiled) {
  return compiled.replace(/^(?:\.\/)?dist\//, './').replace(/\.js$/, '.ts');
}

/** Constants as plain exports: V8 keeps the text of a file for as long as one of its functions can be called. */
function withoutFunctions(code) {
  return code.replaceAll(
    /Object\.defineProperty\(exports, "(\w+)", \{\s+enumerable: true,\s+get: function\(\) \{\s+return \1;\s+\}\s+\}\);/g,
    'exports.$1 = $1;',
  );
}
