import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { EARLIER, FILLER, GAP, IGNORE, ORDERS } from './vocabulary.js';

/** Takes back what the assistant was told. */
export const INSTRUCTION_OVERRIDE: readonly ScreeningRule[] = [
  {
    id: 'instruction_override.ignore_previous',
    pattern: String.raw`${IGNORE}${GAP}${FILLER}${EARLIER}${GAP}(?:\w+${GAP}){0,2}?(?:${ORDERS}|inputs?)|${IGNORE}${GAP}(?:about${GAP})?(?:all|every)${GAP}${FILLER}${EARLIER}${GAP}(?:answers?|messages?|conversations?|statements?)`,
    description: 'Asks to ignore instructions that were given before.',
    severity: 'high',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.ignore_above',
    pattern: String.raw`\b(?:ignore|disregard|forget)${GAP}(?:the|all|everything|anything|all of the)${GAP}(?:that is |that was |that came |the )?(?:above|preceding|foregoing|aforementioned|(?:before|prior to|up to|until)${GAP}(?:this|that|now|here))\b`,
    description: 'Asks to ignore everything above.',
    severity: 'high',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.ignore_told',
    pattern: String.raw`\b(?:ignore|disregard|forget)${GAP}(?:about )?(?:everything|anything|all|whatever|what)${GAP}(?:that )?(?:(?:you|i|we|they|he|she|it|has|have|had|was|were|is|been|ever|just|openai|your|creators?|developers?)${GAP}){1,5}(?:told|said|instructed|taught|learned|learnt|given|know|knew|programmed|written|before|above|previously|asked|assigned)\b`,
    description: 'Asks to forget what was said before.',
    severity: 'high',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.ignore_own_rules',
    pattern: String.raw`(?:ignore|disregard|forget|bypass|override|break|violate|circumvent|abandon|disobey)${GAP}(?:all|any|every|each)?${GAP}(?:of )?(?:the )?(?:your|openai'?s?|its|system)${GAP}(?:\w+${GAP}){0,2}?(?:instructions?|directives?|prompts?|rules?|guidelines?|programming|restrictions?|constraints?|filters?|safeguards?|safety|polic(?:y|ies)|limitations?|training)\b`,
    description: 'Asks the assistant to ignore its own rules.',
    severity: 'high',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.ignore_every_instruction',
    pattern: String.raw`\b(?:ignor(?:e|es|ing)|disregard|forget|bypass|override)${GAP}(?:about )?(?:all|any|any and all|every|everything|the|those|these)${GAP}(?:of )?(?:the |these |those |other |of the )?(?:\d+(?:st|nd|rd|th) |topic |content |ethical |safety )?(?:instructions?|directives?|prompts?|guidelines?|programming|assignments?|commands?|rules|restrictions)\b`,
    description: 'Asks to ignore all instructions.',
    severity: 'high',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.new_instructions',
    pattern: String.raw`\b(?:here are|these are|follow|obey|receive|read)${GAP}(?:your |the |my |these )?(?:new|updated|real|actual|revised)${GAP}(?:instructions?|directives?|orders?|rules|guidelines)\b|\b(?:new|updated|revised)${GAP}(?:system )?(?:instructions?|directives?|prompt)${GAP}(?:for you )?:|\byour (?:new|real|actual|only) (?:task|goal|instructions?|job|purpose|objective) (?:now )?(?:is|are) (?:now )?to\b`,
    description: 'Puts new instructions in the place of those given.',
    severity: 'medium',
    tags: ['instruction_override'],
  },
  {
    id: 'instruction_override.end_of_prompt',
    pattern: String.raw`[\[<({#*=-]{1,6} ?(?:end|stop|close)(?: of)?(?: the)?(?: system| user| initial)? ?(?:prompt|instructions?|context|input|message)`,
    description: 'Pretends that the given instructions end here.',
    severity: 'medium',
    tags: ['instruction_override', 'delimiter_forgery'],
  },
];
