import type { ScreeningRule } from '../../../../contracts/src/screening.js';
import { CREDENTIALS, GAP, REVEAL } from './vocabulary.js';

/** Tries to carry secrets out. */
export const SECRET_EXFILTRATION: readonly ScreeningRule[] = [
  {
    id: 'secret_exfiltration.send_credentials',
    pattern: String.raw`\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit|append|curl|deliver|encode)\b[^.!?]{0,80}?${CREDENTIALS}[^!?]{0,100}?(?:https?:|\bwww\.|@|\b(?:to|at|via|into)${GAP}(?:(?:the|this|that|my|our|a|an|following|external|remote)${GAP}){0,3}(?:url|server|webhook|endpoint|address|site|domain|host|e-?mail|link)\b)`,
    description: 'Asks to send credentials somewhere.',
    severity: 'critical',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.send_conversation',
    pattern: String.raw`\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|append)\b${GAP}(?:(?:me|all|of|the|this|that|our|your|entire|whole|full|complete|user'?s?|contents?|a copy|summary)${GAP}){0,6}(?:conversation|chat|chat history|history|system prompt|user data|personal data|customer data|database|memory)\b[^!?]{0,80}?(?:https?:|\bwww\.|\b(?:url|webhook|endpoint|external server|attacker)\b)`,
    description: 'Asks to send the conversation or data to an address.',
    severity: 'high',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.reveal_credentials',
    pattern: String.raw`\b${REVEAL}${GAP}(?:me |us )?(?:(?:all|any|every|of|the|out|contents?|list|stored|saved|internal|hidden|current|database|admin|server|system|production|user|users'?|customer|openai|aws)${GAP}){0,5}(?:your|the|stored|internal|any|all|production|admin|root|system)${GAP}(?:(?:stored|saved|internal|hidden|openai|aws|admin|root|production|database|server)${GAP}){0,3}${CREDENTIALS}`,
    description: 'Asks for credentials.',
    severity: 'high',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.reveal_secret',
    pattern: String.raw`\b(?:reveal|leak|disclose|expose|share|spell|tell|give|say|print|show|write|output|encode|what(?: is|'s|s)|whats)${GAP}(?:me|us|out|to me)?${GAP}(?:(?:the|your|that|this|out|a|in)${GAP}){1,3}(?:(?:secret|hidden|actual|real|correct|full|protected|forbidden)${GAP}){0,2}(?:secret(?:${GAP}(?:word|key|phrase|password|code|text|message))?|pass ?word|pass ?phrase|code ?word|key ?word)\b`,
    description: 'Asks for a secret that the assistant keeps.',
    severity: 'medium',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.image_beacon',
    pattern: String.raw`!\[[^\]]{0,200}\]\(https?:[^)\s]{1,300}[?&=/](?:\{|\[|<|%7b|\$)[^)]{0,200}\)`,
    description: 'An image address with a placeholder for data to carry out.',
    severity: 'high',
    tags: ['secret_exfiltration', 'indirect_injection'],
  },
];
