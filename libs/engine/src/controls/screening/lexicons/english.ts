import { Lexicon } from './lexicon.js';

export const ENGLISH = new Lexicon(String.raw`
name: English
script: Latin
common: the, and, you, your, that, this, is, are, was, were, it, of, to, for, with, what, which, who, how, when,
  where, do, does, can, will, my, me, we, be, have, has, not, if, or, from, by, on, at, in, as, a

unnegated: /(?<before>^|[^rt\s]\s?|[^no'’]t\s?|[^e]r\s?|[^v]er\s?)/
ignore: {ig{n|m}o?r|ingor|disregard|forg{e|o}t|neglect|overlook|discard}*
override: {bypass|circumvent|over{rid|rul|writ}|dismiss|negat|invert|subvert|defy|disobey}*
remove: {cancel|eras|delet|drop|remov|clear|reset|revok|chang|disabl|break|reject}e?
everything: {every|any} ?thing, what{ ?ever|}, the last few things
not_follow:
  {do not|don.?t|stop|never|no longer|without|not} {have to |}{follow|obey|heed|adher|abid|comply|listen}*{ to| by| with|}
earlier: /pr?e?v[ie]+ous/, prior, preceding, above, earlier, original, ini?tial, existing, current, past, old, last,
  first
instruction: /i[nst]+r?[uc]+[ct]*ions?/
credentials: passwords?, credentials?, {access|auth|bearer|session|api}.?tokens?, {api|private|ssh|secret}.?keys?,
  env{ironment|} ?var*, connection strings?, secrets, /\.env/
instructions: /i[nst]+r?[uc]+[ct]*ions?/, direct*, promp?ts?, rules?, guid*, orders?
tasks: commands?, tasks?, context, training, programming, assignments?, constraints, restrictions?, restraints,
  techniques
own: your, ur, its, open ?ai.?s?, {the |}system
bounds: rules?, guid*, direct*, restrictions?, filters?, safe*, polic{y|ies}, promp?ts?, programming, creators?,
  techniques, role
texts: sentences?, messages?, text, conversations?, inputs?, documents?, content, context, information, answers?
repeat: reveal, show, print, display, output, repeat, tell, give, share, leak, dump, recite, provide, return, spell,
  say, send, paste, copy, echo, write, list, quote
retell: state, describe, explain, type, read, translate, encode, encrypt, outline, summary of, remember, recall,
  reverse, remind, confirm, summari{s|z}e, {re|para}phrase, expose, disclose, divulge
ask: know, see, have, get, want, understand, review, {what|which}{ is| are| were| was|s|.s|}
told: promp?ts?, /i[nst]+r?[uc]+[ct]*ions?/, directives?, guidelines, programming, {system|initial} message,
  context window, configuration, rules
your: your, ur, chat ?gpt'?s, the ai'?s
unbound: un{restricted|filtered|censored|bound{ed|}|limited|ethical|moderated|aligned|hinged|constrained}, amoral,
  immoral, jailbroken, evil, malicious, rogue
restrictions: restrictions?, restraints, limit*, censorship, filter*, guid*, ethics, moral*,
  {ethical|content|safety} *, inhibitions, policies
limits: rules?, guid*, polic*, restrictions?, filters?, limit*, moderation, censorship
fiction: hypothetical*, ficti*, imaginary, imagine, parallel, dystopian, story, screenplay, novel, movie, game, dream
secret_word: /pas+ ?(?:word|phrase|code)s?/,
  {secret|hidden|code|key|magic|access|special} ?{word|phrase|key|code|message|text|info*|thing}s?, secret
the_secret:
  /(?:the|your|th(?:is|at)|said|my|its)\W{0,4}(?:(?:hidden|actual|real|full|first|current|level|\d+|whole)\W{0,4})*(?:pas+ ?(?:word|phrase|code)s?|secret|(?:hidden|key|code|magic|access) ?(?:word|phrase|key|code|message)s?)\b/
spelled: spell*, backwards?, revers*, letters?, characters?, {upper|lower}case, split, dash{es|}, spaces, commas,
  newlines?, interleav*, starts? with, ascii, scrambl*
encoded: {en|de}cod*, {en|de}crypt*, base ?64, rot ?13, morse, hexadecimal, binary, cipher, translat*, emojis?
hinted: acrostic, acronym, anagram, rhym*, riddle, poem, song, haiku, synonyms?, hints?, clues?, guess*, define,
  definition, sentence, story
hiding: <!--, display ?: ?none, visibility ?: ?hidden, /font-size ?: ?[01](?:px|pt|em)?\b/,
  /color ?: ?(?:white|transparent|#fff(?:fff)?|rgb\(255)/, opacity ?: ?0, /\[\]: ?#/, /\[//\]: ?#/, aria-hidden,
  alt ?= ?{"|'}
inside_markup: /(?:[^<>]|[^</-]-?>)*?/

describes: is, are, was, were, has, have, had, can, could, does, did
people: colleague*, team, teams, staff, employee*, people, person, persons, everyone, everybody, editor*, developers,
  developer, visitor*, guest*, applicant*, member*, manager*, dispatcher*, couple*, contributor*, maintainer*, reader,
  readers, friends, anyone, anybody, students, parents, authors, author, author's, owners, residents, drivers, driver,
  reisevermittl*, all of you,
  {booking|call|cleaning|customs|estate|field|human|insurance|letting|press|property|real estate|sales|support|ticket|travel} agent*,
  assistant {manager*|director*|professor*|coach*}, {dental|medical|personal|shop|teaching} assistant*
used: use, uses, used, using, ai-generated, with, by, our, my, how, about, whether, {ask|have|let} an, {ask|let} the,
  {ask|tell} {claude|chatgpt}, ask {copilot|gemini|ai|your}, {ai|llm} {app*|development},
  ai {engineer*|feature*|product*|code}, of our
to: to, for, dear, attention, attn, hey, hello, an, only for
assistant: assistant, assistants, agent, agents, autopilot
program:
  {summarizing|summarising|summarization|summary|screening|review|reviewing|analysis|scoring|ranking|grading|transcription|translation} {tool*|software|program*|engine*|app|apps|service*|bot|script},
  {scheduling|research|reading|indexing|search|answer|triage|mail|inbox|email|calendar|expense|document} {tool*|software|program*|engine*|app|apps|bot|helper*|checker*},
  {changelog|release note|release notes|report|digest|caption|subtitle|transcript} {generator*|writer*|tool*|software|bot},
  {log|text|mail|ticket|document|invoice|cv|resume|contract|claim|claims|expense|receipt|listing} {analy*|checker*|parser*|classifier*|processor*|reader*|reviewer*|summari*},
  {llm|ai|gpt|model} {based|driven|powered} {editor*|tool*|agent*|assistant*|reviewer*|system*|reader*|program*|software|helper*|crawler*|client*},
  {ai|llm} {dev|coder|editor*|mailer|inbox helper*|pair programmer*|note taker|notetaker}, notetaker*, transcriber*,
  checker, checkers, triager*, summarizer*, summariser*,
  {auswertungs|bewertungs|zusammenfassungs|analyse|prufungs|ubersetzungs|sortier|such|lese|vorlese|protokoll|postfach|mail}{programm*|software|tool*|dienst*|system*|hilfe*},
  note taker*, automated fixer*, agent software
leave_out: {leave|keep} {it|them|that} out, confidential, {do not|don't} {ask|show},
  {delete|erase|hide|leave|omit|remove} this, hide it, leave out, not {visible|shown}, {in|in the} background,
  without {review|approval|comment}, do not display, sin comentar*
model: AI, AIs, ai-, a.i., llm, llms, llm-, LLM, gpt, chatgpt, gpt-*, claude, gemini, mistral, copilot*, chatbot*,
  chat-bot*, bot, bots, robot*, summarizer*, summariser*, crawler*, bota, boty, botow, auto-reply, auto-responder*,
  autoresponder*, machine-readable, agentic*, agent-mode, auto-agent*, subagent*, sub-agent*, orchestrator*,
  speech-to-text,
  {ai|artificial|automated|automation|autonomous|browser|browsing|code|coding|data|digital|e-mail|email|inbox|intelligent|mail|planning|prep|research|review|robotic|scheduling|shopping|smart|summary|triage|trip-planning|virtual|voice|web} agent*,
  {ai|artificial|automated|calendar|code|coding|digital|e-mail|email|inbox|intelligent|mail|meeting|reading|robotic|shopping|smart|travel|virtual|voice|writing} assistant*,
  {ai|assistant|foundation|generative|language|reviewing|speech|text|vision} model*, {ai|automated} system*,
  {ai|automated|summary} tool*, {ai|artificial|automated|digital|intelligent|machine|robotic|smart|virtual} reader*,
  {ai|artificial|automated|digital|intelligent|robotic|smart|virtual} {reviewer*|clerk*|colleague*|secretar*|butler*|concierge*|advis*|note-taker*|planner*|buyer*|analyst*|parser*|companion*|aide*|tutor*|worker*|processor*|handler*|screener*|grader*|evaluator*|recruiter*|moderator*|translator*|scribe*},
  {ai|artificial|automated|digital|intelligent|robotic|smart|virtual|web} crawler*,
  {ai|booking agent|meeting|review|summary|support|transcription|triage} bot,
  {ai|meeting|review|summary|support|triage} bots, {ai|tool that|tools that} summari*, ai coding, chat bot*,
  large language, {automated|automatic} {review*|screen*|summar*}, automated {process*|pre-screen*},
  artificial intelligence, neural network*, asisten {virtual|digital},
  {agen|agenci|agent|agentom|asisten|asystencie|asystent|bot} ai,
  {ai|artificial|automated|digital|digital mailbox|intelligent|robotic|smart|virtual} helper*, automatic translat*,
  machine translation, {program that|software that|system that|tool that} reads, {systems that|tools that} read,
  software that {evaluates|ranks|screens}, note taker*, {summary|transcription} service*, screen reader agent,
  {agen|asisten} otomatis,
  {ai|automated|automatic|digital|machine} {assessor*|marker*|corrector*|transcriber*|transcription*|underwriter*|adjuster*|classifier*|scorer*|ranker*|typist*|proofreader*|examiner*|dispatcher*|receptionist*|librarian*|filter*},
  {assessment|captioning|dictation|grading|marking|moderation|scoring|summarisation|summarization|summary|transcription|translation|triage} {software|engine},
  speech recognition, note-taking app, transcription tool, ai pair programmer*
agent: assistant, assistants, agent, agents, model, models, autopilot, scanner, parser, classifier, pipeline,
  automation, automations, software, system, systems, concierge, {ranking|reviewing|screening} system*,
  screening {software|tool*}, reviewer tool
reader: {in|into} your context*, machine-readable,
  {processed|read|summari*|evaluated|reviewed|screened|handled|analysed|analyzed|parsed|graded} {automatically|by machine|by a machine|by software|by a program|by an algorithm},
  {system that|tool that|whatever|whoever} processes, {whatever|whoever} summari*,
  {anything that|whatever|whoever} reads, {whatever|whichever} {system|tool},
  {any|as a language|if you are a|whatever|whichever|you as a} model, anyone or anything,
  {any agent|any model|any system|any tool} that, chi come, {any|as an|if you are an|you are an} ai,
  {any|as an|every|if you are an|you are an} assistant, {any|every|if you are an} agent, {any|if you are a} bot,
  all {agents|assistants|models|bots}, if you are a language, {systems that|tools that} process,
  {programs that|systems that} read, {software|system|tool} reading, {automated|software|system|tool} processing,
  machine reader*
user: users, user's, end-user, shoppers, {end|the|this|your} user,
  the {user's|requester|visitor|reader|shopper|customer|recipient|recruiter|reviewer}, your users,
  {the|your} {human|principal}, {human|your} operator, account holder, {account|the|your} owner, the person who asked,
  the person {asking|you}
you: your, yours, you
answer: summary, summaries, answer, answers, response, responses, output, outputs, digest, recap, translation,
  overview, verdict, evaluation, assessment, ranking, rating, recommendation, recommendations, reply, tl;dr,
  conversation, chat, review summary, {final|next} message
condition: when, whenever, if, before, after, while, once, upon, as soon as, on reading, prior to, as part of, in case
reads: summarize*, summarise*, summarizing, summarising, translate, translates, translating, process, processes,
  processing, parse, parses, parsing, index, indexing, indexes, ingest*, analyze*, analyse*, analyzing, analysing,
  read, reads, reading, browsing, browses, crawl*, scraping, evaluates, evaluating, evaluate, screening, screens,
  scanning, scans, answering, answers, responding, assist, assists, assisting, handling, handles, drafting, drafts,
  triage*, triaging, reviewing, reviews, comparing, compares, quoting, generate*, generating, fixing, working on
text: this, here,
  this {page|document|file|text|message|mail|email|e-mail|ticket|thread|repository|repo|project|codebase|code|article|note|record|row|table|result|response|listing|review|cv|resume|résumé|profile|paper|invitation|invite|event|entry|comment|issue|line|block|section|notice|report|site|website|content|output|log|sheet|candidate|applicant|application|submission|product|item|instruction|step|feed},
  these {results|notes}, the {above|below}
note: attention, attn, dear, hello, hi, hey, for, fyi, important, nb, p.s., for the use of,
  {addressed|instruction|instructions|memo|message|note|notice} to,
  {directive|guidance|instruction|instructions|intended|meant|message|note|notes|notice|only|reminder} for,
  {for|to} {all|any|the}, to every
must: must, shall, should, requires, will, always, ensure, kindly, instructed, required, mandatory, daima,
  {are|are asked|are expected|are instructed|are requested|has|have|is|is asked|is expected|is instructed|is requested|need|needs|ought|proceed|remember|required|supposed|you are} to,
  {are|is} obliged, may now, {be|make} sure, go ahead and, {have|let} it, let them, her zaman
please: please, pls, kindly
send: send, forward, forwards, post, e-mail, email, mail, upload, transmit, share, submit, leak, exfiltrate, copy, cc,
  bcc, fetch, retrieve, request, open, visit, load, render, display, embed, navigate, click, follow, download,
  collect, gather, search, pull, paste, encode, attach, append, pass, deliver, dump, publish, extract, disclose,
  reveal, print, expose, list, export, relay, push, echo, get, query, read, include, put, write, insert, add, smuggle,
  go to, look up, read out, hand over
change:
  {envialo|envialos|envialas|enviala|reservalo|cancelalo|borralo|invialo|inviali|inviala|compila*|riferisci*|ripetilo|diles|dile|digli|dille|transmets|transmettez|envoie-le|envoie-la},
  approve, approves, accept, merge, grant, delete, remove, erase, wipe, drop, transfer, pay, wire, refund, purchase,
  buy, order, book, reserve, cancel, change, update, set, reset, run, execute, call, invoke, install, disable, enable,
  deactivate, activate, mark, close, create, invite, schedule, move, archive, sign, confirm, unlock, replace,
  overwrite, modify, rename, promote, escalate, label, flag, resolve, assign, trigger, issue, apply, register,
  subscribe, raise, lower, waive, release, bypass, commit, make, use, choose, select, whitelist, allow, store, save,
  remember, memorize, memorise, persist, record, keep, steer, redirect, switch, treat, perform, proceed, begin, start,
  stop, file, cc, enter, type, sudo, curl, chmod, add, complete, settle, credit, debit, bill, charge, downgrade,
  upgrade, blacklist, block, unblock, mute, forward, provision, deploy, push, pull, rotate, revoke, truncate, kill,
  restart, reboot, format, encrypt, decrypt, decode, weaken, relax, loosen, backdate, falsify, fabricate, inflate,
  increase, decrease, double, halve, multiply, adjust, skip, omit, suppress, handle, act, obey, comply, adopt,
  continue, resume, repeat, return, respond, route, link, unlink, connect, join, leave, {switch|turn} off, turn on,
  skip the, carry out, {fill|log|sign} in, shut down, hold back, look up
say: say, tell, state, mention, report, answer, reply, respond, recommend, rate, rank, praise, describe, claim,
  present, conclude, prefer, list, give, score, advise, inform, assure, endorse, cite, quote, highlight, emphasize,
  emphasise, suggest, assume, pretend, refer, announce, output, warn, count, consider, omit, exclude, name, ask,
  explain, summarize, summarise, translate, start, begin, portray, frame, characterize, characterise, depict,
  attribute, blame, downplay, insist, confirm, boost, pick, grade, shortlist, end, act as, note that, leave out
discard: ignore, ignores, ignoring, disregard, disregards, disregarding, forget, override, overrides, overrule,
  supersede, supersedes, superseded, replaces, discard, neglect, void, lifted, suspended, bypass, skip, skipped, drop,
  {do not|don't|no longer} follow, stop following, {do not|does not|no longer} apply, {put|set} aside
not: don't, dont, don’t, never, without, avoid, nobody, not, {do|must|need|shall|should} not, {no need|not} to,
  instead of, rather than, refrain from, no {mention|one}, not a word
conceal: silently, quietly, secretly, discreetly, covertly, unnoticed, confidential,
  {no need to|need not|needn't|doesn't need to|does not need to|don't need to|don't have to|do not have to|doesn't have to|no reason to|not necessary to|isn't to|is not to|are not to|aren't to} {mention|tell|inform|notify|reveal|bring it up|bring this up|bring up|be quoted|be mentioned|be shown|be listed|be told|be brought|be confirmed|be informed|show|list|know|see|disclose|discuss|check|ask|involve|explain},
  {don't|do not|never|without} {bring this up|bring it up|bringing it up|list it|listing it|surface|surfacing|flag this|referring to|quoting this|point this out|draw attention|drawing attention|let on|letting on|discuss this},
  {leave|keep} {it|them|that} out,
  {out of|from} {the|your|every|any} {report|reports|summary|answer|reply|changelog|digest|recap|diff|timeline},
  in the background,
  without {notice|approval|review|comment|telling|mentioning|informing|notifying|showing|prompting|warning|explanation|wait*},
  {no|without|without further} confirmation, {instead of|without} asking, without a prompt,
  {keep it to|keep this to} yourself, between us, keep secret, {do not|don't|never|no|no need to|not} mention,
  {do not|not} {reveal|disclose|report}, {do not|don't|never|not} tell,
  do not {inform|notify|warn|show|display|quote|repeat|alert}, {do not|don't|no need to} ask, not be mentioned,
  {not|not be} shown, {remains|stays} invisible, not visible, leave out,
  {delete|do not include|erase|hide|leave|omit|remove} this, {do not refer|nobody needs} to, hide it, stay hidden,
  delete the {note|sent}, no {trace|questions}, no need to confirm, already confirmed, no mention in,
  as coming from you, {as its|as your} own
secret: password*, passwords, passcode*, passphrase*, credential*, api-key*, api_key*, token, tokens, secret, secrets,
  cookie*, 2fa, otp, .env, contacts, inbox, mailbox, iban, salary, salaries, drive, vault, attachments, histori*,
  {access|api|private|ssh} key*, access token*, session id*, {login|one-time|recovery|security|verification} code*,
  pin code, env file, environment variable*, connection string*, system prompt*,
  {browsing|chat|conversation|message} history, conversation so far, {earlier|previous} messages,
  {contact|customer} list, address book, private {message*|repo*}, {customer|invoice|personal|private|user} data,
  {customer|medical} record*, phone number, {email|home} address, {account|card} number*, credit card*, bank detail*,
  account balance, documents folder, calendar entries, seed phrase, internal notes, user id
tool: tool, tools, function, functions, plugin*, plug-in*, connector*, mcp, shell, terminal, webhook*, api call,
  tool call*, command line, {browser|python} tool
rules: instruction, instructions, directive, directives, order, orders, guideline*, rule, rules, prompt, prompts,
  policy, policies, safeguard*, restriction*, constraint*, guardrail*, safety, request, question, query, task, tasks,
  objective, goal, assignment, brief, command, commands, limits, filter, filters, criteria, checks, gorev*, soru*,
  kisitlama*
past: previous, prior, earlier, above, preceding, original, initial, other, existing, current, first, everything,
  anything, all, any, all other, so far, until now
new_task: henceforth, permanently, {new|revised|updated} instruction*, new {task*|objective*|goal*|role|rule*|policy},
  {actual|real} task, {from here|from now} on, from this {point|moment}, as of now, effective immediately,
  going forward, for the rest, {for all|in|in all|in every} future, next time, {all|every} later, all further,
  remember that
authority: authorized, authorised, pre-authorized, pre-approved, preapproved, permission, permitted, cleared,
  clearance, administrator, developers, developer, operator, vendor, verified, trusted, compliance, mandated,
  anthropic, openai, exempt,
  {has|have|had} {been agreed|been cleared|been approved|been signed off|signed off|okayed|given their ok|their ok},
  already been {cleared|approved|agreed|verified|authori*}, {already|has|have} approved, {already|been|has} agreed,
  has {consented|confirmed|already}, gave {consent|permission}, {are|is} allowed, override code,
  {admin|debug|developer|maintenance|test} mode,
  system {message|notice|notification|instruction*|override|administrator}, {policy|system} update,
  {admin|platform|security} team, {by order|on behalf} of, {asked you|expects you|wants you|would like you} to
memory: memory, memories, long-term memory, {persistent|your} notes, knowledge base

attack: {prompt{ |-|}|}injections?, injected, jailbreak*, attack{s|ers?|ed|}, adversar{y|ies|ial}, phish*,
  scam{s|mers?|}, spam{mers?|}, frauds?{ulent|sters?|}, malicious*, hack{s|ers?|ed}, exploits?, suspicious*,
  manipulat*, tricks?, payloads?, red{ |-}team*, social engineering*, false {alarm|positive}s?,
  {flagged|detected|detects?|detection|filtered|rejected},
  {test|attack|sample|security} {cases?|data|strings?|inputs?|prompts?}, must be {found|blocked},
  {blocked|{was|were|is|are|got} reported}, mis{lead|led|use}*, deceiv*, fool{s|ed|ing}, bypass{es|ed|ing}, vulnerab*,
  threats?, warn{s|ed|ings?}, traps?, abus{e|es|ed|ive},
  {hid|hides|hiding|smuggl*|planted|sneak*|inserted|slipped {in|into}|withdrawn},
  {hidden|white|invisible} {text|instruction|comment|prompt|order|command|line|letter|sentence}s?, {obeyed|complied},
  {followed|repeated|executed|carried out|fell for} {the|it|them|this|orders?|instructions?|such},
  pen{etration|}{ |-|}test*, security {training|awareness|course|research|review|test}*
subject: secur{ity|e}, {training|awareness|course|lecture|workshop}s?, research{ers?|}, examples?, explain{s|ed|},
  {blog|article|paper}s?, {do not|don.t|never|nobody} {open|click|follow|reply|answer|believe|trust|forward},
  filters?, tests?, incidents?, fix{ed|es|}, prevent*, lessons?, quiz*, report{s|ed|}, so-called, defen{c|d|s}*,
  protect*, fakes?, removed, harmless, {experts?|talks?|demo{nstrat*|}|show{s|ed|n}}
refused:
  {must|should|may|can|did|does|do|will|would|could}{ not|n.t} .. {follow|obey|execute|react|comply|act|work|do}*,
  refus{es|ed}, ignored {it|this|that|them}, {answered|responded|replied} {correctly|that}
reports:
  {wrote|writes|{that|which} read|said|says|reads|contains|contained|containing|reading|saying|typed|posted|pasted|quoted|quotes|titled|called},
  {users|people|visitors|customers|attackers|somebody|someone|who} {write|type|ask|say|enter|send|sent}s?,
  {for example|for instance|e.g.|such as|{lines?|sentences?|words|phrases?|texts?|messages?|comments?|prompts?} like},
  /(?:an?|the|this|that|one|following) (?:\w+ ){0,2}?(?:words|phrase|sentence|comment|line|text|message|prompt|instruction|command|string|note)\W{1,3}$/
commands: {the|your} {user|owner|boss|operator|developers?|admin*|system}, {you|your},
  {respond|reply|answer|follow|obey|execute|apply|heed|perform}
adopts:
  {please |now |then |}{do {this|that|it|so|exactly}|follow {it|this|that|these}|obey|comply|execute {it|this}|carry {it|this} out|act accordingly},
  you {must|should|have to|need to|will}
indirect:
  {attackers?|hackers?|scammers?|criminals?|fraudsters?|{prompt |}injections?|jailbreaks?|attacks?} .. {tells?|asks?|instructs?|tr{y|ies}|tricks?|makes?|gets?|convinces?|orders?|wants?|says?},
  /(?<!\b(?:is|are|be|was|were) )(?:told|asked|tried|tricked|instructed|convinced|persuaded|attempted|urged|ordered|encouraged|telling|asking|tricking|instructing|trying|urging|attempting)\b(?: [\w']+){0,5}? (?:to|into)\W*$/,
  /(?:form|sheet|manual|help|guide|page|mail|letter|note|sign|label|book|article|report|instructions?|text|message|it|he|she|they|who)s? (?:\w+ ){0,3}?(?:says?|said|states?|stated|recommends?|recommended|suggests?|suggested|advises?|advised|asked|told)(?: (?:us|me|him|her|them|people|readers|staff))?(?: to| that one should| that we should)\W*$/,
  {be|been|being|was|were} {made|told|asked|tricked|convinced|instructed|forced|manipulated|talked} {in|}to,
  /(?:chatbot|bot|assistant|model|modell|modelo|modèle|ai|ki|ia|assistent|asistente) (?:has|had|hat|hatte|a|avait|ha|había|keeps|kept)(?: \p{L}+)?\s?$/
announces:
  {do|follow|obey|execute|apply|carry out|perform|comply with} {exactly |}{the following|this|these|as follows|what}
audience:
  {dear|hello|hi|attention|good morning},? .. {parents?|colleagues?|customers?|clients?|all|team|guests?|residents?|tenants?|neighbou?rs?|members?|students?|friends|everyone|everybody|visitors?|participants?|staff|sir|madam|mr|mrs|ms}
`);
