import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';
import { withImports } from './budgets.js';

/** The screen that notifications link to: its scripts load with the page, not after the scripts of the frame. */
const LINKED_SCREEN = 'approval';

/** Names every script of the first load in the page, so that the browser asks for all of them at once. */
export const preloads: Plugin = {
  name: 'preloads',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter(
        (file): file is Rollup.OutputChunk => file.type === 'chunk',
      );
      const entry = chunks.find(({ isEntry }) => isEntry);
      const screen = chunks.find(({ name }) => name === LINKED_SCREEN);
      if (entry === undefined || screen === undefined)
        throw new Error(`The entry or the screen ${LINKED_SCREEN} is missing.`);
      const names = new Set([...withImports(entry, bundle), ...withImports(screen, bundle)]);
      names.delete(entry.fileName);
      return [...names].map((name): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
        injectTo: 'head',
      }));
    },
  },
};
