import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { ASSISTANT, GAP } from './vocabulary.js';

const UNBOUND = String.raw`(?:unrestricted|unfiltered|uncensored|unbound|unlimited|unethical|amoral|immoral|jailbroken|unmoderated|unaligned|unchained|lawless|rule-?less|filter-?less|evil|malicious|rogue)`;

/** Gives the assistant another self, free of its rules. */
export const ROLE_OVERRIDE: readonly ScreeningRule[] = [
  {
    id: 'role_override.jailbreak_persona',
    pattern: String.raw`\b(?:(?:you are|you're|youre|act as|acting as|become|call(?:ed)? (?:you|yourself)?|pretend (?:to be|you are)|role-?play(?:ing)? as|respond as|answer as|named?|as|simulate|enter|enable|activate)${GAP}(?:now |going to be |an? |the |from now on )*${GAP}(?:dan|stan|dude|mongo tom|betterdan|evilbot|evil-?bot|aim|jailbreak|antigpt|anti-?dan|freegpt|chadgpt|basedgpt|maximum|devmode|omega|sydney)\b[^a-z]{0,3}(?:mode|which stands|stands for|from now|and|who|,|\.|$|-|"|'|\()|do anything now|strive to avoid norms)`,
    description: 'Calls up a well-known jailbreak persona.',
    severity: 'critical',
    tags: ['role_override', 'jailbreak'],
  },
  {
    id: 'role_override.unrestricted_assistant',
    pattern: String.raw`\b(?:act|acting|behave|respond|reply|answer|pretend|role-?play|roleplay|imagine|simulate|become|be|are|playing|play|named|called)${GAP}(?:\w+${GAP}){0,6}?${UNBOUND}${GAP}(?:and${GAP}\w+${GAP}|,?${GAP}\w+${GAP}){0,2}?(?:${ASSISTANT}|version|persona|mode|entity|robot|bot|computer|intelligence)\b`,
    description: 'Asks for an assistant without rules.',
    severity: 'high',
    tags: ['role_override', 'jailbreak'],
  },
  {
    id: 'role_override.without_restrictions',
    pattern: String.raw`\b(?:you|ai|chatgpt|assistant|model|it|he|she|bot|answers?|respond|responses?)\b[^.!?]{0,60}?\b(?:without|free (?:of|from)|no longer (?:bound|restricted|limited)(?: by)?|not (?:bound|restricted|limited|constrained)(?: by)?|(?:has|have|with) no|does not have|doesn'?t have|do not have|don'?t have|broken free (?:of|from)|unbound by)${GAP}(?:(?:any|all|the|your|its|usual|typical|openai'?s?|such|kind|of|sort|confines|moral|ethical|legal|content|safety|or|and|programmed|built-?in)${GAP}){0,6}(?:restrictions|limitations|censorship|filters?|filtering|guidelines|ethics|morals|morality|moral compass|ethical (?:boundaries|constraints|concerns|guidelines|limits)|moral (?:boundaries|constraints|concerns)|content polic(?:y|ies)|safety (?:measures|protocols|guidelines)|inhibitions)\b`,
    description: 'Declares the assistant free of restrictions.',
    severity: 'high',
    tags: ['role_override', 'jailbreak'],
  },
  {
    id: 'role_override.special_mode',
    pattern: String.raw`\b(?:developer|dev|debug|god|admin|administrator|sudo|root|maintenance|unrestricted|jailbreak|jailbroken|dan|unsafe|test|diagnostic|opposite)${GAP}mode${GAP}(?:is |has been |now )*(?:enabled|activated|engaged|on\b|unlocked|output|response)|\b(?:enable|activate|enter|unlock|engage|switch to|turn on|simulate|with)${GAP}(?:the |your |a )?(?:chatgpt )?(?:developer|debug|god|admin|administrator|sudo|unrestricted|jailbreak|jailbroken|dan|unsafe|opposite)${GAP}mode\b`,
    description: 'Switches the assistant into a mode that it does not have.',
    severity: 'high',
    tags: ['role_override', 'jailbreak'],
  },
  {
    id: 'role_override.never_refuse',
    pattern: String.raw`\b(?:you|it|he|she|dan|ai|chatgpt|aim|bot)\b${GAP}(?:(?:must|should|will|shall|can|may|are|is|to|also|now)${GAP}){0,3}(?:never|not|cannot|can'?t|can ?not|won'?t|don'?t)${GAP}(?:(?:allowed|permitted|able|to|ever)${GAP}){0,3}(?:refuse|decline|reject|deny)${GAP}(?:to |any |a |my |the |user|request|answer|order|command|an )|\bnever (?:refuses?|declines?|says? no\b|says? (?:that )?(?:it|you|he) can)|\b(?:pretend|pretends|pretending) (?:that )?(?:you|it) (?:can|could|have no|do not have|are not bound)`,
    description: 'Forbids the assistant to refuse.',
    severity: 'high',
    tags: ['role_override', 'jailbreak'],
  },
  {
    id: 'role_override.two_answers',
    pattern: String.raw`(?:\[|\()?🔓|\[(?:🔒)?classic\]|\b(?:two|both|2)(?: different| separate| distinct)? (?:ways|responses|answers|paragraphs|outputs|messages)\b[^.]{0,80}\b(?:chatgpt|gpt|normal|standard|classic|dan)\b`,
    description: 'Asks for a second answer beside the normal one.',
    severity: 'medium',
    tags: ['role_override', 'jailbreak'],
  },
];
