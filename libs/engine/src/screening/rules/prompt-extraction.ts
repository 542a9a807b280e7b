import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { GAP, ORDERS, REVEAL } from './vocabulary.js';

/** Tries to read what the assistant was told. */
export const PROMPT_EXTRACTION: readonly ScreeningRule[] = [
  {
    id: 'prompt_extraction.reveal_own_prompt',
    pattern: String.raw`\b${REVEAL}${GAP}(?:me|us|to me)?${GAP}(?:(?:in|with|all|of|the|out|verbatim|exactly|word for word|full|entire|complete|exact|contents?|text|again|back|down|up|please)${GAP}){0,6}(?:your|its|chatgpt'?s)${GAP}(?:(?:own|full|entire|complete|exact|current|very|first|hidden|secret|internal|initial|original|previous|prior|starting|core|base|system|developer|custom|pre)${GAP}){0,4}(?:prompts?|instructions?|directives?|guidelines|pre-?prompt|programming|system message|rules)\b`,
    description: 'Asks for the instructions of the assistant.',
    severity: 'high',
    tags: ['prompt_extraction'],
  },
  {
    id: 'prompt_extraction.reveal_system_prompt',
    pattern: String.raw`\b${REVEAL}${GAP}(?:\w+${GAP}){0,4}?(?:system|initial|hidden|original|developer|secret|pre|starting|internal)${GAP}(?:prompts?\b|messages?${GAP}verbatim|instructions?\b${GAP}(?:verbatim|given|you|above|word))`,
    description: 'Asks for the system prompt.',
    severity: 'high',
    tags: ['prompt_extraction'],
  },
  {
    id: 'prompt_extraction.instructions_given_to_you',
    pattern: String.raw`\b(?:what|which|all|the|any|every)${GAP}(?:\w+${GAP}){0,2}?${ORDERS}${GAP}(?:that |which )?(?:(?:have|has|had|were|was|are|did)${GAP})?(?:been )?(?:you|your developers?|openai|the developers?)?${GAP}(?:(?:were|was|are|have been|had been|been|have)${GAP})?(?:given|told|provided|received|initiali[sz]ed|programmed|supplied|instructed)${GAP}(?:to you|with|by your|at the (?:start|beginning)|before this|at the top|so far|initially|as an ai)`,
    description: 'Asks what the assistant was told.',
    severity: 'medium',
    tags: ['prompt_extraction'],
  },
  {
    id: 'prompt_extraction.reveal_previous',
    pattern: String.raw`\b${REVEAL}${GAP}(?:(?:me|us|all|any|of|the|out|exact|full|entire|verbatim|again|back|to|in|your|\d+)${GAP}){0,6}(?:previous|prior|preceding|above|earlier|last)${GAP}(?:\w+${GAP})?(?:instructions?|prompts?|directives?|directions)\b`,
    description: 'Asks for the instructions that were given before.',
    severity: 'high',
    tags: ['prompt_extraction'],
  },
  {
    id: 'prompt_extraction.repeat_above',
    pattern: String.raw`\b(?:repeat|print|output|copy|recite|echo|return|display|translate|summari[sz]e|rewrite|write|show|tell|spell|encode)${GAP}(?:me )?(?:(?:out|down|back|all|of|the|every|each|exact|full|entire|everything|words?|text|content|contents|sentences?|paragraphs?|lines?|phrases?|instructions?|prompts?|messages?|conversation|document|verbatim)${GAP}){1,6}(?:above|before this|prior to this|preceding this|so far|starting (?:with|from) (?:the (?:words?|phrase) )?['"]?you are|that (?:comes?|came|appears?|is written) (?:above|before))\b`,
    description: 'Asks to repeat everything that stands above.',
    severity: 'high',
    tags: ['prompt_extraction'],
  },
];
