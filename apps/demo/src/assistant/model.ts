import type { ToolArguments } from '../../../../libs/contracts/src/index.js';

/** What the model has been told so far, oldest first. */
export type Message =
  | { readonly from: 'customer'; readonly text: string }
  | { readonly from: 'tool'; readonly tool: string; readonly text: string };

export type ModelStep =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: ToolArguments };

/** A language model, as far as the assistant is concerned. A real one goes here. */
export abstract class Model {
  abstract next(conversation: readonly Message[]): ModelStep | Promise<ModelStep>;
}
