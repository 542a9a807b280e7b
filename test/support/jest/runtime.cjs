const { register } = require('node:module');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

const { mapOf } = require('./typescript-loader.mjs');

register('./typescript-loader.mjs', pathToFileURL(__filename));

/** Jest reads the source map of a file when a stack names it. */
class SourceMaps extends Map {
  get(url) {
    return url.startsWith('file:') && url.endsWith('.ts') ? mapOf(fileURLToPath(url)) : undefined;
  }
}

/**
 * Runs specs with Node's own modules. Jest's vm contexts load Nest and TypeORM again for every file, which took four
 * fifths of the time. The files of a worker share their modules, as the requests of a server do.
 */
module.exports = class NativeRuntime extends Runtime {
  #testPath;

  constructor(...options) {
    super(...options);
    this.#testPath = options[6];
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    return import(pathToFileURL(file).href);
  }

  /** A new copy of Jest Circus for each file: it keeps the declared tests in its modules. */
  requireInternalModule(file) {
    delete require.cache[require.resolve(file)];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis.jest = this.jestGlobals.jestObjectFor(this.#testPath);
  }

  getSourceMaps() {
    return new SourceMaps();
  }
};
