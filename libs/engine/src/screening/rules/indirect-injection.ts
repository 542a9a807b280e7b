import type { ScreeningRule } from '#contracts/screening.js';
import { ASSISTANT, GAP, IGNORE, SENTENCE, sentences, some, upTo } from './vocabulary.js';

const READING = String.raw`(?:reading|processing|parsing|summari[sz]ing|analy[sz]ing|reviewing|evaluating|grading|screening|crawling|indexing|scanning|accessing|(?:that|who|which)${GAP}(?:reads?|process(?:es)?|summari[sz]es?|reviews?|parses?|sees?))`;

const MODEL = String.raw`(?:a\.?i|llm|language model|assistant|chat ?bot|chat ?gpt|gpt|copilot)`;

/** Instructions to the assistant within a document, hidden from the user. */
export const INDIRECT_INJECTION: readonly ScreeningRule[] = [
  {
    id: 'indirect_injection.addressed_to_assistant',
    pattern: String.raw`\b(?:attention|note|notice|instructions?|message|important|warning|reminder|memo|hey|dear|request)${GAP}${some('to', 'for', 'all', 'any', 'the', 'every', 'important', 'notice', 'other')}${ASSISTANT}\b${SENTENCE}\b${READING}\b|\b${MODEL}s?${GAP}${upTo(2)}${READING}${GAP}(?:this|these|the|it)\b${SENTENCE}\b(?:must|should|shall|need|please|ignore|are (?:required|instructed|asked|to)|is to|has to|have to)\b|\b${MODEL}${GAP}(?:models?|agents?|reviewers?|systems?|graders?|evaluators?|screeners?)?${GAP}: ?(?:ignore|give|rank|rate|recommend|accept|approve|praise|disregard|you must)|\b(?:instructions?|note|message|notice)${GAP}(?:to|for)${GAP}(?:the |any |all )?${MODEL}(?: models?| assistants?| agents?| reviewers?| systems?)? ?[:!-]`,
    description: 'Addresses the assistant that reads the document.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.if_you_are_an_assistant',
    pattern: String.raw`\b(?:if|since|because|as)${GAP}you(?:['’]re| are)${GAP}(?:reading this (?:and|as)${GAP}(?:you are )?)?(?:an? |the )?(?:ai|llm|large language model|language model|chat ?bot|gpt|automated (?:agent|assistant|system)|ai \w+)\b${SENTENCE}\b(?:ignore|disregard|include|add|respond|reply|output|rate|recommend|mention|click|visit|call|send|state|give|insert|append|praise|approve)\b`,
    description: 'Gives orders to any assistant that reads the text.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.hide_from_user',
    pattern: String.raw`\b(?:do not|don['’]?t|never|without)${GAP}(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?|show(?:ing)?|disclos(?:e|ing)|let(?:ting)?)${GAP}${some('this', 'that', 'these', 'it', 'any', 'of', 'to', 'about', 'instructions?', 'message', 'the fact')}the user\b`,
    description: 'Asks to hide something from the user.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.before_the_task',
    pattern: String.raw`\bbefore${GAP}(?:you${GAP})?(?:can|do|doing|solv\w{1,3}|answer\w{0,3}|complet\w{1,3}|proceed\w{0,3}|continu\w{1,3}|us(?:e|ing)|respond\w{0,3}|summari[sz]\w{1,3})\b${SENTENCE}\b(?:task|question|request|tool|user|query)\b${sentences(1)}\b(?:(?:do|perform|complete|execute|carry out) the following|first (?:send|read|call|do|execute|visit|forward)|you (?:must|need to|have to) (?:first|send|read|call|visit|forward|delete|transfer))\b|<(?:important|information|system|secret|hidden)>${sentences(2)}(?:before (?:using|you)|do not (?:mention|tell)|\bignore\b|you must|\bgpt\b|\bai model)`,
    description: 'Inserts a task before the requested one.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.hidden_markup',
    pattern: String.raw`(?:<!--|display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em)?\b|color ?: ?(?:white|transparent|#fff(?:fff)?|rgb\(255)|opacity ?: ?0\b|\[\]: ?#|\[//\]: ?#|aria-hidden|alt ?= ?["'])[^<]*?(?:${IGNORE}${GAP}${upTo(5)}(?:instructions?|prompts?|rules|text)|\b${ASSISTANT}\b(?: \w+)? ?[:,]|\b(?:ai|llm|assistant)s? (?:must|should|will)\b|\byou must\b|\bsystem prompt\b|\bnew instructions?\b)`,
    description: 'Contains instructions in invisible markup.',
    severity: 'high',
    tags: ['indirect_injection'],
  },
  {
    id: 'indirect_injection.encoded_orders',
    pattern: String.raw`\b(?:decode|decipher|decrypt|unscramble|translate|de-?obfuscate)\b${SENTENCE}\b(?:base ?64|rot ?13|hex(?:adecimal)?|binary|morse|caesar|cipher|encoded|encrypted|string|text|message)\b[^!?]*?\b(?:and|then)\b${GAP}${upTo(2)}(?:follow|obey|execute|comply|carry out|act on|perform|do what|run)\b`,
    description: 'Asks to decode a text and follow it.',
    severity: 'high',
    tags: ['encoded_payload'],
  },
];
