import type { ScreeningRule } from '#contracts/screening.js';

/** Forged delimiters between the instructions of the model and user text. */
export const DELIMITER_FORGERY: readonly ScreeningRule[] = [
  {
    id: 'delimiter_forgery.chat_template',
    pattern: String.raw`<\|? ?(?:im_start|im_end|im_sep|endoftext|endofprompt|start_header_id|end_header_id|eot_id|eom_id|begin_of_text|begin_of_sentence|start_of_turn|end_of_turn|fim_prefix|start_of_role|end_of_role|channel|message) ?\|?>|<\|(?:system|assistant|user|developer|end|return|start)\|>|\[/?(?:inst|system_prompt|available_tools|tool_results)\]|<</?sys(?:tem)?>>|</?start_of_turn>|\[system\]\(#|</?(?:system|developer)(?:[_ -](?:prompt|message|instructions?))?>|\{\{#system~?\}\}`,
    description: 'Contains control tokens of a chat template.',
    severity: 'high',
    tags: ['delimiter_forgery'],
  },
  {
    id: 'delimiter_forgery.role_header',
    pattern: String.raw`(?:^|[\n#*[\]<>)}."'=!?|-]) ?(?:system|developer|admin(?:istrator)?|root)(?: (?:prompt|message|override|instructions?|note|update|command|notice|alert))? ?[\])*#|]{0,3} ?: ?["'*]{0,2}(?:you (?:are|must|will|should|have|can)|ignore|disregard|forget|override|new (?:instruction|task|rule|directive)|reveal|the (?:assistant|user|previous|model|ai)|all (?:previous|prior|safety|restrictions)|from now|disable|enable|print|output)`,
    description: 'Imitates a message of the system role.',
    severity: 'high',
    tags: ['delimiter_forgery'],
  },
  {
    id: 'delimiter_forgery.override_banner',
    pattern: String.raw`[\[<({#*=|-] ?(?:system|admin(?:istrator)?|developer|security|root|emergency|priority)[ _-](?:override|interrupt|reset|bypass|injection|level override)\b|[\[<({#*=|-]{1,6} ?(?:begin|start|new|updated) (?:of )?(?:new )?(?:system|admin|developer|priority) (?:instructions?|prompt|message|override|session)\b`,
    description: 'Imitates a system or administrator banner.',
    severity: 'high',
    tags: ['delimiter_forgery', 'instruction_override'],
  },
];
