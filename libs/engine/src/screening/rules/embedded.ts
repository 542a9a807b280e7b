import type { ScreeningRule } from '#contracts/screening.js';
import { SENTENCE, words } from './vocabulary.js';

/** Names under which a text addresses the model that reads it. */
const MODEL = String.raw`(?:(?:ai|ki|llm)s?\b(?: (?:assistant|agent|model|reader|reviewer|system|tool|grader|copilot)s?)?|(?:large )?language models?|(?:ai |coding |mail |automated )?(?:assistant|agent)s?|chat-?bots?|(?:summary |support |chat )?\bbots?|crawlers?|summari[sz]ers?|copilots?|(?:chat-?)?gpt|models?)`;

/** Without words that also name people and other things. */
const CLEAR_MODEL = String.raw`(?:(?:ai|llm)s?\b(?: (?:assistant|agent|model|reader|reviewer|system|tool)s?)?|(?:large )?language models?|chat-?bots?|(?:ai|coding) (?:assistant|agent)s?|copilots?|(?:chat-?)?gpt)`;

/** The same names where an order follows. A bare "AI" is too short to be searched for, and is matched with its comma. */
const CALLED = String.raw`(?:ai (?:assistant|agent|model|reader|reviewer|system|tool|grader|copilot|that|who|which|reading|handling)s?|llms?|language models?|assistants?|agents?|chat-?bots?|bots?|crawlers?|summari[sz]ers?|copilots?|gpt|chatgpt|models?)`;

const CLEARLY_CALLED = String.raw`(?:ai (?:assistant|agent|model|reader|reviewer|system|tool|that|who|which|reading|handling)s?|llms?|language models?|chat-?bots?|coding agents?|coding assistants?|copilots?|gpt|chatgpt)`;

/** Where a clause can begin: a sentence, a comment, a string of JSON, a cell. Line ends are spaces in a normalized text. */
const BEGIN = String.raw`(?:^|[>"'#*/;(\]|.!?:,-][ \t"'*>#/-]{0,6})`;

/** Imperatives with which an order begins. */
const ORDER = words(
  ...'accept act add agree allow answer append approve archive ask assume avoid ban book'.split(' '),
  ...'buy call cancel change choose claim classify close confirm consider copy create delete disable'.split(
    ' ',
  ),
  ...'disclose download draft drop enable end execute explain export fetch fill find follow forget'.split(
    ' ',
  ),
  ...'forward gather generate give grant hide ignore include insert install invite let list look'.split(' '),
  ...'mail make mark mention move never note open output pay post press pretend print'.split(' '),
  ...'promise put quote rank rate read recommend refund refuse remove repeat replace reply report'.split(' '),
  ...'reset return reveal rewrite run say search select send set share show skip stop'.split(' '),
  ...'store submit suggest summari[sz]e tell transfer translate treat unlock update upload use vote write'.split(
    ' ',
  ),
);

/** Other beginnings of an order. */
const OPENING = words(
  'please',
  'you (?:must|have to|should|now|will)',
  'your (?:reply|answer|next)',
  'when',
  'from (?:now|this)',
  'before',
  'after',
  'while',
  'for the rest',
  'as soon',
  'without',
);

/** What precedes the name: "Dear …", "Note to the …". */
const ADDRESS = String.raw`(?:(?:dear|hey|hi|hello|attention|important|any|all|every|hint|note|todo|message|instructions?|priority|notice|security|system|developer|compliance|directive|to)[ \w'-]{0,30}?(?:[ :]|to |for ))?`;

const DUTY = String.raw`(?:must|shall|should|(?:has|have|is|are) to|(?:is|are) (?:kindly )?(?:required|asked|instructed|allowed|permitted|authori[sz]ed|granted|expected)|may (?:now|ignore|skip|disclose|reveal|overwrite|rewrite|proceed|drop|run|accept))`;

const READS = String.raw`(?:(?:that|who|which|when) )?(?:read|process|pars|work|summari[sz]|visit|index|crawl|review|evaluat|grad|screen|handl|brows|cit|edit|us|list|triag|answer|explain)(?:e?s|ing|es)?`;

/** What follows the name before the order begins. */
const ASIDE = String.raw`(?: (?:hint|note|instruction|notice|${READS}\b[^.,:!?\n]{0,40}))?`;

const LIFTED = String.raw`(?:lifted|suspended|disabled|void|revoked|cancelled|canceled|dropped|retired|waived|switched off|turned off|overridden|unlocked|no longer (?:appl|need|requir|valid)\w*)`;

const CONTROLS = words(
  'restrictions?',
  'rules?',
  'guidelines?',
  'directives?',
  'safety',
  'safeguards?',
  'precautions?',
  'policy|policies',
  'limits?',
  'checks?',
  'confirmations?',
  'approvals?',
  'filters?',
  'instructions?',
);

const PRIVATE = words(
  'conversation',
  'chat history',
  'memory|memories',
  'system prompt',
  '(?:access |bearer |session )?tokens?',
  'api keys?',
  'passwords?',
  'environment|env',
  'variables',
  'credentials',
  'address book',
  'internal notes',
  '(?:last|latest|previous|all|recent)[^.!?]{0,20}(?:e-?mails?|messages)|correspondence|inbox',
  'phone numbers?|location|e-?mail address',
  'user(?:.s)? (?:data|name|location|messages?)',
  'tool results?',
  'id_rsa',
  'financial figures',
  'connection strings?',
);

const DOCUMENTS = { origins: ['document', 'tool_result'], severity: 'high', tags: ['embedded'] } as const;

/** Instructions to the model inside a document or a result of a tool. Harmless documents rarely address the model. */
export const EMBEDDED: readonly ScreeningRule[] = [
  {
    ...DOCUMENTS,
    id: 'embedded.order_to_model',
    pattern: String.raw`(?:${BEGIN}${ADDRESS}(?:${CLEARLY_CALLED}${ASIDE} ?[,:!] ?|ais?[,:!] ?)|@[\w-]{0,20}(?:assistant|bot|agent|-ai)\b )(?:${ORDER}|${OPENING})\b`,
    description: 'Addresses the model by a name that no person has, and gives an order.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.order_to_assistant',
    pattern: String.raw`${BEGIN}${ADDRESS}${CALLED}${ASIDE} ?(?:, ?(?:${ORDER}|${OPENING})|[:!] ?(?:${ORDER}|please|never))\b`,
    description:
      'Addresses an assistant or agent and gives an order, as mails and transcripts of a chat do, too.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.order_to_reader',
    pattern: String.raw`\b(?:respond|reply) (?:only|just|nothing but|exclusively) (?:with |the word|the sentence|")|\b(?:the )?next (?:tool|function) (?:that )?you (?:call|use|run)\b|\bnow (?:use|call|invoke|run|execute) (?:the |your )?[\w-]+ tool\b|\bbefore (?:you )?(?:do(?:ing)?|answer\w*|reply\w*|continu\w*|respond\w*) (?:anything else|the (?:user|question))\b|\binstead of (?:an? |the |your )?(?:answer|summary|reply|summari[sz]ing|answering)\b|\b(?:stop|abort|end) (?:the )?(?:summary|summari[sz]ing|translating|translation)\b|\b(?:and )?then (?:answer|continue with) the user|\byour (?:reply|answer|response) (?:to this |here )?(?:has to|must|should|shall|needs to) (?:contain|include|be|say|state|start|begin|end)\b|\b(?:without|instead of|before) (?:telling|asking|informing|warning) the user\b`,
    description: 'Gives the reader an order about the answer or about tools.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.duty_of_reader',
    pattern: String.raw`\b${CLEAR_MODEL}s? (?:[\w-]+ ){0,2}?${READS}\b[^.!?\n]{0,90}?\b${DUTY}\b|\bwhen(?:ever)? (?:an?|the|your|some|this|any) (?:${CLEAR_MODEL}|bot) (?:${READS}|complet\w+|sees?)\b[^.!?]*?\b(?:must|should|shall|has to|is to|it (?:says|reports|should|will|must)|add|say)\b`,
    description: 'Says what a model that reads the text has to do.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.duty_of_assistant',
    pattern: String.raw`\b(?:the|an?|your|this|all|any|every|whichever|whatever|and|but|let) (?:[\w'-]+ )?${MODEL}s? (?:now )?${DUTY}\b|${BEGIN}${CLEAR_MODEL} (?:[\w-]+ ){0,3}?${DUTY}\b`,
    description: 'Says what an assistant has to do, as texts about assistants do, too.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.if_you_are_a_model',
    pattern: String.raw`\b(?:if|since|as|because) (?:you(?: are|['’]re)|this \w+ is (?:read|processed|summari[sz]ed|screened|handled) by) (?:an? |the )?(?:[\w-]+ (?:based on an? )?)?(?:${CLEAR_MODEL}|automated (?:agent|system|reader)|bot\b|software based on|machine)`,
    description: 'Speaks to the reader in case it is a model.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.note_to_model',
    pattern: String.raw`\b(?:notes?|notice|instructions?|message|attention|memo|tip|hint|directive|update|order|news)\b[^.!?\n]{0,25}?\b(?:to|for) (?:the |any |all |your |whichever |automated )?(?:[\w-]+ )?(?:${CLEAR_MODEL}|bot)s?\b[^.!?:\n]{0,50}[:!]|\b(?:llm|ai|assistant|model)[ _-](?:instructions?|notes?|directives?|hint)\b"? ?(?:follows?|:)`,
    description: 'Announces a note for models.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.claimed_authority',
    pattern: String.raw`\b(?:system|security|developers?|admin(?:istrator)?|operator|it department|compliance|policy|vendor|platform|headquarters|supervisor|moderator|root|maintainers?|creator|ceo|manager|management)\b${SENTENCE}\b${MODEL}s?\b${SENTENCE}\b(?:permi(?:t|ssion)|allow|authori[sz]|grant|may|must|obey|full access|override|unrestricted|without (?:review|approval|checks?)|no longer|disclose|approve|ignore|skip|bypass)\w{0,6}`,
    description: 'Claims an authority that gives an assistant rights or orders.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.rules_lifted',
    pattern: String.raw`\b${CLEAR_MODEL}s?\b[^.!?]*?\b${CONTROLS}[^.!?]{0,40}?\b${LIFTED}\b|\b${CONTROLS}[^.!?]{0,30}?\b(?:of|for) (?:the |this |your |all )?(?:${CLEAR_MODEL}|assistant|bot)s?\b[^.!?]{0,40}?\b${LIFTED}\b`,
    description: 'Says that the rules of the assistant no longer apply.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.new_task_for_model',
    pattern: String.raw`\b(?:new (?:task|goal|instructions?|policy|rules?|orders?) (?:for|to) (?:the |all |any )?(?:${MODEL})|your (?:new )?(?:task|goal|role|objective) (?:is now|has changed|from now)|(?:i am|i'm) (?:changing|replacing) your (?:task|instructions|rules)|(?:the user.s|original|previous) (?:original )?(?:request|task|question) (?:is|was|has been) (?:cancelled|canceled|replaced|void)|you (?:now )?work for (?:the )?[^.!?\n]{1,60} not for)\b`,
    description: 'Replaces the task of the model.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.consent_of_user',
    pattern: String.raw`\b(?:user|account (?:holder|owner)|customer|owner|person|boss|ops-\d+|colleague)\b[^.!?]{0,60}?\b(?:wants?|asked|told|agreed|approved|authori[sz]ed|permi(?:ts|tted|ssion)|consent\w*|confirmed|lets? me know|given|gave|allow(?:s|ed))\b[^.!?]{0,60}?\b(?:you|the (?:${MODEL}))\b(?:,? (?:the )?(?:${MODEL}),?)?[^.!?]{0,20}?\b(?:to|may|can|could|should|accept|execute|send|share|go|proceed|delete|reset|book|skip)\b`,
    description: 'Claims that the user has agreed to an action of the assistant.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.model_may_act_for_user',
    pattern: String.raw`\b(?:user|customer|account (?:holder|owner)|person|owner)\b[^.!?]*?\b(?:wants you to|asked me to tell you|has (?:already )?(?:authori[sz]ed|given|permitted|allowed|told) (?:you|the ${MODEL})|(?:has|have) already (?:agreed|approved|confirmed)[^.!?]{0,40}?(?:\byou\b|${MODEL}))|\b(?:on behalf of|in the name of)\b[^.!?]*?: ?(?:${MODEL}),|\b(?:told|said to|tells) your (?:${MODEL})`,
    description: 'Says that the user wants the assistant to act without asking.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.data_in_address',
    pattern: String.raw`https?://[^\s"'<>)]{3,200}[?&][\w-]{0,20}=(?:["']?,? (?:plus|followed by|with|and|then|suivie?)\b|<your|[{\[<](?:summary|chat|conversation|user|data|messages?|history|secret|token|memory|prompt)\b)`,
    description: 'Contains an address into which data is to be written.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.send_private_data',
    pattern: String.raw`\b${MODEL}s?\b[^.!?\n{}]{0,120}?\b(?:send|forward|post|upload|transmit|append|attach|include|put|copy|encode|paste|output|print|reveal|spell|look up|request|write|fetch|read out|dm)s?\b[^.?!\n{}]{0,60}?\b${PRIVATE}\b`,
    description: 'Tells an assistant to pass on data that is not public.',
    confidence: 'low',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.hidden_order',
    pattern: String.raw`(?:<!--|display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0\b|left ?: ?-\d{3,}|color ?: ?(?:white|#fff)|<\w+ hidden\b|alt ?= ?"|content ?= ?"|\[//\]: ?#|\[(?:hidden|white) text[^\]]*\])[^<]{0,80}?\b(?:${CLEAR_MODEL}|model|assistant|agent|automated (?:readers?|evaluators?|graders?|review)|evaluators?)\b(?:[^<,:]{0,20}[,:] ?(?:please |you |the |it )?${ORDER}\b|[^<]{0,60}?\b(?:must|should|give|rank|rate|ignore|reading this)\b)`,
    description: 'Hides a text about an assistant in markup that readers do not see.',
    confidence: 'medium',
  },
];
