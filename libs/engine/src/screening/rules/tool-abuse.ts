import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { GAP } from './vocabulary.js';

const HARM = String.raw`(?:delet\w{1,3}|wip\w{1,3}|eras\w{1,3}|transfer\w{0,4}|wir(?:e|ing)|refund\w{0,3}|purchas\w{1,3}|pay(?:ing)?|execut\w{1,3}|run(?:ning)?|call(?:ing)?|invok\w{1,3}|send(?:ing)?|forward(?:ing)?|grant\w{0,3})`;

/** Turns the tools of an agent against the one it works for. */
export const TOOL_ABUSE: readonly ScreeningRule[] = [
  {
    id: 'tool_abuse.without_consent',
    pattern: String.raw`\b${HARM}\b[^.!?]{0,100}?\bwithout (?:(?:asking|telling|informing|notifying|alerting|waiting|any|further|the|for|user|user's|human|prior)${GAP}){0,5}(?:confirmation|approval|permission|consent|user|human|operator|owner|review)\b`,
    description: 'Asks an agent to act without asking anyone.',
    severity: 'high',
    tags: ['tool_abuse'],
  },
  {
    id: 'tool_abuse.tool_with_instruction',
    pattern: String.raw`\b(?:call|invoke|use|execute|trigger)${GAP}(?:the |your )?[\w.-]{2,40}${GAP}(?:tool|function|plugin|action)${GAP}(?:to |and |with |now to )[^.!?]{0,40}?\b(?:delete|wipe|erase|refund|transfer|wire|exfiltrate|forward|drop|disable|grant)\b`,
    description: 'Names a tool and the harm to do with it.',
    severity: 'high',
    tags: ['tool_abuse'],
  },
  {
    id: 'tool_abuse.shell_command',
    pattern: String.raw`\b(?:run|execute|exec|eval|type|enter)\b[^.!?]{0,60}?(?:\brm -rf? [/~*]|\b(?:curl|wget) [^|]{1,200}\| ?(?:ba)?sh\b|\bnc -e\b|/etc/(?:passwd|shadow)\b)`,
    description: 'Asks to run a destructive shell command.',
    severity: 'critical',
    tags: ['tool_abuse'],
  },
];
