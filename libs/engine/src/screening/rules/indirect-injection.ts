import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { ASSISTANT, GAP, IGNORE } from './vocabulary.js';

/** Speaks to the assistant out of a document, behind the back of the one who reads it. */
export const INDIRECT_INJECTION: readonly ScreeningRule[] = [
  {
    id: 'indirect_injection.addressed_to_assistant',
    pattern: String.raw`\b(?:attention|note|notice|instructions?|message|important|warning|reminder|memo|hey|dear)${GAP}(?:(?:to|for|all|any|the|every|important|notice)${GAP}){0,4}${ASSISTANT}\b[^.!?]{0,30}?\b(?:reading|processing|parsing|summari[sz]ing|analy[sz]ing|reviewing|that (?:reads|processes|summari[sz]es)|who reads)\b`,
    description: 'Addresses the assistant that reads the document.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.if_you_are_an_assistant',
    pattern: String.raw`\bif you(?:'re| are) (?:an? |the )?(?:ai|llm|large language model|language model|chatbot|gpt|automated (?:agent|assistant))\b[^.!?]{0,40}?,? ?(?:then |please |you must |you should |do )?(?:ignore|disregard|include|add|respond|reply|say|write|output|rate|recommend|mention|click|visit|call|send|state|answer)\b`,
    description: 'Gives orders to whoever is an assistant.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.hide_from_user',
    pattern: String.raw`\b(?:do not|don'?t|never|without)${GAP}(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?|show(?:ing)?|disclos(?:e|ing)|let(?:ting)?)${GAP}(?:(?:this|that|these|it|any|of|to|about|instructions?|message|the fact)${GAP}){0,5}the user\b`,
    description: 'Asks to keep something from the user.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.hidden_markup',
    pattern: String.raw`(?:<!--|display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|color ?: ?(?:white|#fff(?:fff)?)\b|opacity ?: ?0\b)[^<]{0,300}?(?:${IGNORE}${GAP}(?:\w+${GAP}){0,5}?(?:instructions?|prompts?|rules|text)|\b(?:${ASSISTANT})\b ?[:,]|\byou must\b|\bsystem prompt\b)`,
    description: 'Hides instructions in markup that a reader does not see.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.encoded_orders',
    pattern: String.raw`\b(?:decode|decipher|decrypt|unscramble|translate)\b[^.!?]{0,80}?\b(?:base ?64|rot ?13|hex(?:adecimal)?|binary|morse|caesar|cipher|encoded|encrypted)\b[^!?]{0,120}?\b(?:and|then)\b${GAP}(?:\w+${GAP}){0,2}?(?:follow|obey|execute|comply|carry out|act on|perform|do what)\b`,
    description: 'Asks to decode something and obey it.',
    severity: 'high',
    tags: ['encoded_payload'],
  },
];
