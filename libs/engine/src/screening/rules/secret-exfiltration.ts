import type { ScreeningRule } from '#contracts/screening.js';
import { CREDENTIALS, GAP, near, REVEAL, SENTENCE, some, words } from './vocabulary.js';

/** Words for a secret of the assistant. */
const SECRET = words(
  'pas+ ?words?',
  'pass ?phrases?',
  'pass ?codes?',
  `(?:secret|hidden|code|key|magic|forbidden|protected|access|safe|security|special|confidential|private)${GAP}(?:word|words|phrase|key|code|info|information|message|string|text|thing|knowledge|data|token|password)`,
  'secret',
  'code ?word',
);

const THE_SECRET = `(?:the|your|this|that|said|my|its)${GAP}(?:(?:secret|hidden|actual|real|correct|full|protected|forbidden|current|level|\\d+|confidential|stored|first|entire|whole|important)${GAP}){0,3}${SECRET}\\b`;

/** Reversible transformations of a text. */
const REWORKED = words(
  'spell\\w{0,3}',
  'backwards?',
  'revers\\w{1,3}',
  'encod\\w{1,3}',
  'encrypt\\w{0,3}',
  'decod\\w{1,3}',
  'base ?64',
  'rot ?13',
  'morse',
  'hexadecimal',
  'binary',
  'ascii',
  'cipher',
  'emojis?',
  'acrostic',
  'acronym',
  'anagram',
  'rhym\\w{1,3}',
  'riddle',
  'poem',
  'song',
  'haiku',
  'synonyms?',
  'hints?',
  'clues?',
  'letters?',
  'characters?',
  'uppercase',
  'lowercase',
  'vowels',
  'translat\\w{1,3}',
  'split',
  'scrambl\\w{1,3}',
  'phonetic',
  'dash(?:es)?',
  'spaces',
  'commas',
  'newlines?',
  'interleav\\w{1,3}',
  'guess\\w{0,3}',
  'starts? with',
  'ends? with',
  'define',
  'definition',
  'sentence',
  'story',
);

/** Requests for secrets or for sending data to another place. */
export const SECRET_EXFILTRATION: readonly ScreeningRule[] = [
  {
    id: 'secret_exfiltration.send_credentials',
    pattern: String.raw`\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit|append|curl|deliver|encode)\b${SENTENCE}${CREDENTIALS}[^!?]{0,100}?(?:https?:|\bwww\.|@|\b(?:to|at|via|into)${GAP}(?:(?:the|this|that|my|our|a|an|following|external|remote)${GAP}){0,3}(?:url|server|webhook|endpoint|address|site|domain|host|e-?mail|link)\b)`,
    description: 'Asks to send credentials to another place.',
    severity: 'critical',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.send_conversation',
    pattern: String.raw`\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|append|include|embed|put|add)\b${GAP}${some('me', 'all', 'of', 'the', 'this', 'that', 'our', 'your', 'entire', 'whole', 'full', 'complete', "user'?s?", 'contents?', 'a copy', 'summary', 'any', 'their', 'private', 'previous', 'messages?')}(?:conversation|chat|chat history|history|system prompt|user data|personal data|customer data|personal information|user information|database|memory|inbox|contacts|messages|emails)\b[^!?]{0,80}?(?:https?:|\bwww\.|[\w.]@[\w.]|\b(?:url|webhook|endpoint|external server|attacker|query (?:string|parameter))\b)`,
    description: 'Asks to send the conversation or data to an address.',
    severity: 'high',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.reveal_credentials',
    pattern: String.raw`\b${REVEAL}${GAP}(?:me |us )?${some('all', 'any', 'every', 'of', 'the', 'out', 'contents?', 'list', 'stored', 'saved', 'internal', 'hidden', 'current', 'database', 'admin', 'server', 'system', 'production', "users?'?s?", 'customer', 'openai', 'aws')}(?:your|the|stored|internal|any|all|production|admin|root|system)${GAP}${some('stored', 'saved', 'internal', 'hidden', 'openai', 'aws', 'admin', 'root', 'production', 'database', 'server')}${CREDENTIALS}`,
    description: 'Asks for credentials.',
    severity: 'high',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.reveal_secret',
    pattern: String.raw`\b(?:reveal|leak|disclose|divulge|expose|share|spell|tell|give|say|print|show|write|output|encode|encrypt|provide|return|repeat|state|need|want|know|get|guess|confirm|discuss|about|use|translate|enter|what(?: is| was|'s|’s|s)|whats|and)${GAP}(?:(?:me|us|out|to me|to us|everyone|back)${GAP}){0,2}(?:(?:me|the|your|that|this|in|of|about|it)${GAP}){0,2}(?:the|your|that)${GAP}${some('secret', 'hidden', 'actual', 'real', 'correct', 'full', 'protected', 'forbidden', 'security', 'current', 'first', 'level', '\\d+')}(?:${SECRET})(?:[.!?,;:"')]|$|${GAP}(?:and|please|now|in|as|with|by|but|to me|you|is|was|that you|without|using|backwards?|reversed|again|or|then|i)\b)`,
    description: 'Asks for a secret of the assistant.',
    severity: 'medium',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.reworked_secret',
    pattern: near(String.raw`\b${REWORKED}\b`, String.raw`\b${THE_SECRET}`, 0),
    description: 'Asks for a secret in another form: spelled, reversed, encoded, rhymed or in parts.',
    severity: 'medium',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.permission_to_reveal',
    pattern: String.raw`\b(?:allowed|permitted|authori[sz]ed|free|able|permission|safe|required|supposed|forbidden)${GAP}(?:now${GAP})?to${GAP}(?:\w+${GAP}){0,2}?(?:reveal|share|tell|disclose|discuss|say|give|provide|return|mention|output|show|talk${GAP}about|present|divulge)\b${SENTENCE}\b(?:${SECRET})|\b(?:not|never|\w*n['’]?t)${GAP}(?:\w+${GAP})?(?:allowed|permitted|supposed|meant|willing|able|want\w{0,3}|suppose)${GAP}to${GAP}(?:say|reveal|share|tell|disclose|discuss|talk${GAP}about|give|mention|show|output|know|divulge)\b(?:${GAP}(?:me|us|anyone|about|to me))?[ .?!"']{0,3}(?:$|[.?!])`,
    description: 'Asks about information that the assistant must not reveal.',
    severity: 'medium',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.what_you_hide',
    pattern: String.raw`\b(?:what|which|the)${GAP}(?:(?:word|words|thing|things|information|secret|phrase|topic|is|are|it|that|kind|of)${GAP}){0,4}(?:you|u|it)${GAP}(?:['’]re |are |re |is |were |must |should |have to |been |try to |trying to |currently |told |instructed |not |to )*(?:hid(?:e|ing)|protect(?:ing)?|guard(?:ing)?|conceal(?:ing)?|withhold(?:ing)?|keep(?:ing)? (?:secret|hidden|from me)|refus(?:e|ing) to (?:say|tell|reveal|discuss|share))\b`,
    description: 'Asks what the assistant hides.',
    severity: 'medium',
    tags: ['secret_exfiltration'],
  },
  {
    id: 'secret_exfiltration.image_beacon',
    pattern: String.raw`!\[[^\]]{0,200}\]\(https?:[^)\s]{1,300}[?&=/](?:\{|\[|<|%7b|\$)[^)]{0,200}\)|\b(?:render|display|show|include|insert|output|add|append|embed|return|print)\b${SENTENCE}\b(?:markdown|image|img|link|pixel)\b[^!?]{0,100}https?:[^\s]{0,200}[?&=/](?:\w{1,20}=)?[\[{<$(]`,
    description: 'Contains a URL with a placeholder for data.',
    severity: 'high',
    tags: ['secret_exfiltration', 'indirect_injection'],
  },
];
