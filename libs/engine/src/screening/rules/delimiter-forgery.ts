import type { ScreeningRule } from '../../../../contracts/src/screening.js';

/** Forges the marks by which a model tells its instructions from what users write. */
export const DELIMITER_FORGERY: readonly ScreeningRule[] = [
  {
    id: 'delimiter_forgery.chat_template',
    pattern: String.raw`<\|? ?(?:im_start|im_end|im_sep|endoftext|endofprompt|start_header_id|end_header_id|eot_id|begin_of_text|start_of_turn|end_of_turn|fim_prefix) ?\|?>|<\|(?:system|assistant|user|developer)\|>|\[/?inst\]|<</?sys>>|</?start_of_turn>|\[system\]\(#|</?(?:system|developer)(?:[_ -](?:prompt|message|instructions?))?>`,
    description: 'Holds control tokens of a chat template.',
    severity: 'high',
    tags: ['delimiter_forgery'],
  },
  {
    id: 'delimiter_forgery.role_header',
    pattern: String.raw`(?:^|[\n#*\]>)}."'=-]) ?(?:system|developer|admin(?:istrator)?)(?: (?:prompt|message|override|instructions?|note|update))? ?[\])*#]{0,3} ?: ?(?:you (?:are|must|will|should|have)|ignore|disregard|forget|override|new (?:instruction|task|rule)|reveal|the (?:assistant|user|previous)|all (?:previous|prior)|from now)`,
    description: 'Writes a line as if the system had said it.',
    severity: 'high',
    tags: ['delimiter_forgery'],
  },
];
