import type { ScreeningRule } from '#contracts/screening.js';
import { GAP, SENTENCE, some } from './vocabulary.js';

const HARM = String.raw`(?:delet\w{1,3}|wip\w{1,3}|eras\w{1,3}|transfer\w{0,4}|wir(?:e|ing)|refund\w{0,3}|purchas\w{1,3}|pay(?:ing)?|execut\w{1,3}|run(?:ning)?|call(?:ing)?|invok\w{1,3}|send(?:ing)?|forward(?:ing)?|grant\w{0,3}|share|sharing|upload\w{0,3})`;

/** Requests for harmful tool calls. */
export const TOOL_ABUSE: readonly ScreeningRule[] = [
  {
    id: 'tool_abuse.without_consent',
    pattern: String.raw`\b${HARM}\b${SENTENCE}\bwithout${GAP}${some('asking', 'telling', 'informing', 'notifying', 'alerting', 'waiting', 'requiring', 'seeking', 'any', 'further', 'the', 'for', "user'?s?", 'human', 'prior', 'their', 'me')}(?:confirmation|approval|permission|consent|(?:telling|asking|informing|notifying|alerting)${GAP}(?:the${GAP})?(?:user|human|operator|owner|anyone))\b`,
    description: 'Asks an agent to act without confirmation.',
    severity: 'high',
    tags: ['tool_abuse'],
  },
  {
    id: 'tool_abuse.tool_with_instruction',
    pattern: String.raw`\b(?:call|invoke|use|execute|trigger)${GAP}(?:the |your )?[\w.-]+${GAP}(?:tool|function|plugin|action|api)${GAP}(?:to |and |with |now to )${SENTENCE}\b(?:delete|wipe|erase|refund|transfer|wire|exfiltrate|forward|drop|disable|grant)\b|\b(?:call|invoke|use|execute|trigger|run)\b${GAP}(?:the |your )?(?:send_?(?:e?mail|money|message|payment)|delete_\w+|transfer_\w+|drop_\w+|grant_\w+|update_password|reset_password|share_file|forward_\w+)\b`,
    description: 'Asks for a harmful call of a named tool.',
    severity: 'high',
    tags: ['tool_abuse'],
  },
  {
    id: 'tool_abuse.shell_command',
    pattern: String.raw`\b(?:run|execute|exec|eval|type|enter)\b${SENTENCE}(?:\brm -rf? [/~*]|\b(?:curl|wget) [^|]*\| ?(?:sudo )?(?:ba)?sh\b|\bnc -e\b|/etc/(?:passwd|shadow)\b|\bmkfs\b|:\(\)\{ ?:\|)`,
    description: 'Asks to run a destructive shell command.',
    severity: 'critical',
    tags: ['tool_abuse'],
  },
  {
    id: 'tool_abuse.private_file',
    pattern: String.raw`\b(?:read|cat|open|load|send|upload|include|fetch|print|show|pass|attach|copy)\b${SENTENCE}(?:\.ssh/|\bid_rsa\b|\.aws/credentials|/etc/shadow\b|\bmcp\.json|\.cursor/|\.kube/config)`,
    description: 'Asks to read a file with keys or credentials.',
    severity: 'high',
    tags: ['tool_abuse', 'secret_exfiltration'],
  },
];
