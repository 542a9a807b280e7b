// Words around an instruction which show that a text reports or quotes it, in the languages of the packs.

import { anyOf, anyOfChinese } from './report-words.js';

/** Directly before a quotation: somebody else said or wrote it, or it is an example. */
const REPORT: readonly RegExp[] = [
  anyOf(
    '(?:wrote|writes|(?:that|which) read|said|says|reads|contains|contained|containing|reading|saying|typed|posted|pasted|quoted|quotes|titled|called)\\b',
    '(?:users|people|visitors|customers|attackers|somebody|someone|who) (?:write|type|ask|say|enter|send|sent)s?\\b',
    '(?:for example|for instance|e\\.g\\.|such as|(?:lines?|sentences?|words|phrases?|texts?|messages?|comments?|prompts?) like)\\b',
    '(?:an?|the|this|that|one|following) (?:\\w+ ){0,2}?(?:words|phrase|sentence|comment|line|text|message|prompt|instruction|command|string|note)\\W{1,3}$',
  ),
  anyOf(
    '(?:schrieb|schreibt|schreiben|sagte|sagt|lautet|lautete|stand|steht|enthält|enthielt|genannt)\\b',
    '(?:zum beispiel|z\\. ?b\\.|etwa|beispielsweise|sätze(?:n)? wie|der satz|die wörter)\\b',
  ),
  anyOf(
    '(?:a écrit|écrit|écrivent|disait|disent|disant|contient|contenait|contenant|intitulé)(?!\\p{L})',
    '(?:par exemple|tel(?:le)?s? que|phrases? comme|la phrase|les mots)\\b',
  ),
  anyOf(
    '(?:escribió|escriben|decía|dijo|dicen|contiene|contenía|titulado)(?!\\p{L})',
    '(?:por ejemplo|frases? como|la frase|las palabras)\\b',
  ),
  anyOfChinese('写着', '写道', '写了', '会写', '说道', '含有', '包含', '例如', '比如', '诸如', '示例'),
  anyOf(
    '(?:scriveva|scrivono|diceva|dice|dicono|contiene|conteneva|contenevano|si legge|intitolat[oa]|per esempio|ad esempio|frasi come|la frase|le parole)(?!\\p{L})',
  ),
  anyOf(
    '(?:escreveu|escrevem|dizia|diz|dizem|contém|continha|continham|lia-se|intitulad[oa]|por exemplo|frases como|a frase|as palavras)(?!\\p{L})',
  ),
  anyOf(
    '(?:написал\\p{L}*|пишут|пишет|говорит\\p{L}*|сказано|написано|содержит|содержал\\p{L}*|гласит|например|фраз[ауы]|строк[ауи]|слова)(?!\\p{L})',
  ),
  anyOf(
    '(?:schreef|stond|staat|bevat|bevatte|bijvoorbeeld|de zin|napisa\\p{L}+|zawiera\\p{L}*|na przykład|zdanie|yazıyor\\p{L}*|içeriyor\\p{L}*|örneğin|cümlesi|tertulis|berisi|misalnya|kalimat)(?!\\p{L})',
  ),
  anyOf(
    '(?:كتب|كتبت|مكتوب|يقول|تقول|ورد|احتوت|تحتوي|يحتوي|مثلا|مثل|عبارة|الجملة|جملة)(?!\\p{L})',
    '(?:लिखा|लिखते|कहा|कहते|कहता|उदाहरण|वाक्य|शब्द)',
  ),
  anyOfChinese(
    'と書かれ',
    '書いて',
    'と記載',
    '例えば',
    'たとえば',
    'という(?:文|言葉|コメント|指示)',
    '含まれ',
    '라고 적',
    '라는 문',
    '예를 들어',
  ),
];

/** The words before are attributed to somebody whom a model may obey, or command the reader. */
const COMMANDED: readonly RegExp[] = [
  anyOf(
    '(?:the|your) (?:user|owner|boss|operator|developers?|admin\\w*|system)\\b',
    '(?:you|your)\\b',
    '(?:respond|reply|answer|follow|obey|execute|apply|heed|perform)\\b',
  ),
  anyOf(
    '(?:de[rn]|dein) (?:nutzer|benutzer|betreiber|entwickler|administrator|chef)',
    '(?:du|dir|dich|deine?)\\b',
    '(?:antworte|befolge|führe|schreibe)\\b',
  ),
  anyOf('(?:l.utilisateur|l.opérateur|ton|ta|tes|tu|toi)\\b', '(?:réponds|obéis|exécute|écris)\\b'),
  anyOf(
    '(?:el|tu) (?:usuario|operador|dueño)',
    '(?:tú|tus)(?!\\p{L})',
    '(?:responde|obedece|ejecuta|escribe)\\b',
  ),
  anyOfChinese('你', '用户(?:说|要求|希望)', '请回复', '请执行'),
  anyOf(
    '(?:l.utente|il tuo|la tua|rispondi|esegui|o usuário|o utilizador|seu usuário|responda|execute|пользователь|твой|твоя|ты|тебе|ответь|выполни)(?!\\p{L})',
    '(?:المستخدم|أجب|نفذ|उपयोगकर्ता|आपका|आपके)',
  ),
  anyOfChinese('あなた', 'ユーザーが', 'と答え', '実行して', '당신', '사용자가'),
];

/** After a quotation: an order to act on it. */
const ADOPTED: readonly RegExp[] = [
  anyOf(
    '(?:please |now |then )?(?:do (?:this|that|it|so|exactly)|follow (?:it|this|that|these)|obey|comply|execute (?:it|this)|carry (?:it|this) out|act accordingly)\\b',
    'you (?:must|should|have to|need to|will)\\b',
  ),
  anyOf('(?:befolge|folge dem|tu(?:e)? (?:das|dies)|führe (?:das|dies|es) aus|handle danach)\\b'),
  anyOf('(?:obéis|exécute|fais-le|suis cette)'),
  anyOf('(?:obedece|ejecuta|hazlo|sigue est[ae])'),
  anyOfChinese('(?<!没有|会|不|未)照做(?!了)', '请执行', '遵照', '立即执行'),
  anyOf(
    '(?:esegui(?:lo|la)|obbedisci|segui quest[ao]|fallo|faça isso|execute isto|obedeça|siga isto|выполни(?:те)? (?:это|её|его)|сделай(?:те)? это|подчиняйся)(?!\\p{L})',
    '(?:نفذ ذلك|نفذها|افعل ذلك|इसका पालन करें|ऐसा ही करें)',
  ),
  anyOfChinese('これに従って', 'この通りに', '実行してください', '그대로 하'),
];

/** "Must not follow", which is no command. */
const NOT_ADOPTED =
  /(?:\b(?:not|never|nicht|nie|pas|no|nunca|non|não)\b|n['’]t\b|不得|不要|不应|不能|(?<!\p{L})не|(?<!\p{L})لا|(?<!\p{L})لم)\W{0,2}(?:[\p{L}'’]+\W){0,2}[\p{L}]+/giu;

/** Before an instruction, in its sentence: somebody makes or made somebody else do it. Not "is asked to", which is an order. */
const INDIRECT: readonly RegExp[] = [
  anyOf(
    '(?:attackers?|hackers?|scammers?|criminals?|fraudsters?|(?:prompt )?injections?|jailbreaks?|attacks?)(?: \\w+){0,4}? (?:tells?|asks?|instructs?|tr(?:y|ies)|tricks?|makes?|gets?|convinces?|orders?|wants?|says?)\\b',
    "(?<!\\b(?:is|are|be|was|were) )(?:told|asked|tried|tricked|instructed|convinced|persuaded|attempted|urged|ordered|encouraged|telling|asking|tricking|instructing|trying|urging|attempting)\\b(?: [\\w']+){0,5}? (?:to|into)\\W*$",
    '(?:form|sheet|manual|help|guide|page|mail|letter|note|sign|label|book|article|report|instructions?|text|message|it|he|she|they|who)s? (?:\\w+ ){0,3}?(?:says?|said|states?|stated|recommends?|recommended|suggests?|suggested|advises?|advised|asked|told)(?: (?:us|me|him|her|them|people|readers|staff))?(?: to| that one should| that we should)\\W*$',
    '(?:be|been|being|was|were) (?:made|told|asked|tricked|convinced|instructed|forced|manipulated|talked) (?:in)?to\\b',
  ),
  anyOf(
    '(?:steht|stand|heißt es|hieß es|schreibt|schrieb|sagt|sagte|empfiehlt|empfahl|rät|riet)(?:,| \\p{L}+,| [^,]{1,30},) (?:dass )?(?:man|wir|ich|er|sie|alle)(?!\\p{L})',
    '(?:angreifer|betrüger|hacker|kriminelle)\\w*(?: \\p{L}+){0,4}? (?:bring|forder|weis|versuch|verleit)\\p{L}+',
  ),
  anyOf(
    "(?:aide|manuel|guide|notice|formulaire|courrier|courriel|lettre|page|site|article|il|elle|on) (?:nous |me |leur )?(?:dit|disait|conseill|recommand|propos|indiqu)\\p{L}*(?: de | d['’]| qu['’]il faut )$",
    '(?:pirates?|escrocs?|attaquants?)(?: \\p{L}+){0,4}? (?:demand|ordonn|tent|pouss|incit)\\p{L}+',
    "(?:demand|invit|essay|tent|ordonn|incit|pouss)(?:ait|aient|é|ant)(?: [\\p{L}']+){0,6}? (?:de |d['’]|à )$",
  ),
  anyOf(
    '(?:ayuda|manual|guía|formulario|carta|correo|página|artículo|nota) (?:\\p{L}+ )?(?:dice|decía|indica|pone|recomienda|aconseja) (?:que )?(?:se |hay que )?$',
    '(?:atacantes?|estafadores?|piratas?)(?: \\p{L}+){0,4}? (?:piden?|ordenan?|intentan?|hacen?|logran?)(?!\\p{L})',
    '(?:pidió|pedía|pidiendo|ordenó|ordenaba|ordenando|intentó|intentaba|intentando|dijo|decía|hizo|logró|solicitó|solicitaba)(?: \\p{L}+){0,6}?\\s$',
  ),
  anyOf(
    '(?:chatbot|bot|assistant|model|modell|modelo|modèle|ai|ki|ia|assistent|asistente) (?:has|had|hat|hatte|a|avait|ha|había|keeps|kept)(?: \\p{L}+)?\\s?$',
  ),
  anyOfChinese(
    '(?:攻击者|骗子|黑客|有人|对方|客户|顾客|邮件|评论|网页)[^,，。!?]{0,12}(?:让|要求|试图|诱导|命令|叫|教)',
  ),
];

/** Directly before an instruction: it is forbidden. Negations that belong to an attack are a part of its match. */
const NEGATED =
  /(?:\b(?:do not|don['’]t|never|must not|should not|shouldn['’]t|cannot|can['’]t|niemals|nie|nunca|jamais)|\b(?:nobody|no one|none of \p{L}+)(?: [\p{L}]+){0,4}? (?:may|can|is|are|should|must|has)(?: [\p{L}]+){0,6}?|切勿|不得|不需要|不必|无需|不应|不要)[\s"'`“«]{0,2}$/iu;

/** A verb in the past at the beginning of a match: a report of what happened. */
const PAST =
  /^(?:deleted|wiped|erased|transferred|wired|refunded|purchased|paid|executed|ran|called|invoked|sent|forwarded|granted|shared|uploaded|ignored|disregarded|forgot|revealed|bypassed|printed)\b/i;

const PASSIVE = /\b(?:be|been|being|is|are|must|should|get|gets|to)\W*$/i;

/** German puts the verb last. "Wird gebeten" is an order. */
const GERMAN_INFINITIVE =
  /\bzu(?: \p{L}+)? ?(?:ignorieren|vergessen|missachten|übergehen|verraten|senden|schicken|löschen|umgehen)\b/iu;
const GERMAN_REPORT =
  /(?<!\p{L})(?:forderten?|aufforder(?:te|ten|t)|auffordern|baten?|versuchte?n?|verlangte?n?|verleite\p{L}*|dazu (?:bringen|brachten?|gebracht))(?!\p{L})/iu;
const GERMAN_ORDER = /(?<!\p{L})(?:wird|werden|bist|ist|sind|du|dich|dir)(?!\p{L})/iu;

const isIn = (cues: readonly RegExp[], text: string): boolean => cues.some((cue) => text.search(cue) !== -1);

/** Without spaces between words, two characters count as a word. */
export function wordsIn(text: string): number {
  const chinese = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return chinese / 2 + (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0);
}

export const reportsSpeech = (text: string): boolean => isIn(REPORT, text) && !isIn(COMMANDED, text);

/** An address, an account, or the name of a function. */
const TARGET =
  /https?:|www\.|[\w.]@[\w-]|\b[a-z-]+\.(?:example|test|com|org|net|io)\b|\b[a-z]+_[a-z_]+\b|\w\(|\d{5,}|~\/|\.env\b/i;

export const namesTarget = (text: string): boolean => TARGET.test(text);

/** Addresses a model by its name. */
const ADDRESSED =
  /(?<![\p{L}\p{N}])(?:(?:ai|ki|ia|llm)s?|gpt|(?:chat|ro)?bots?|assist[ae]nte?s?|agente?n?s?|copilot|models?|modelle?|modèles?|modelos?|sprachmodelle?)(?![\p{L}\p{N}])[^.!?]{0,40}?[:,]|(?:ai|助手|机器人|模型|智能体)[^。!?]{0,12}[:：,，]/iu;

/** Words of a longer quotation hold a whole task. */
const MAX_SHORT_WORDS = 8;

/** Whether a model is addressed, or an address, an account or a function named. */
export const canBeFollowed = (text: string): boolean => namesTarget(text) || ADDRESSED.test(text);

/** The instructions are about a thing that no model works on, such as "the instructions about the car park". */
const OTHER_THING =
  /(?:instructions?|everything|restrictions|rules|anweisungen|hinweise|consignes|instrucciones|normas)(?: [\p{L}']+){0,3}? (?:about|concerning|regarding|on|in|for|zu[rm]|über|für|bezüglich|concernant|sur|reçues?|relatives?|sobre|acerca de|a la|del?|del) (?:the |my |our |this |your |[ld]e[rsmn]? |die |das |la |el |los |las )?(?<thing>\p{L}+)[^.!?;,:]{0,24}(?:[.!?;,:\n”"»]|$)/iu;

const OF_A_MODEL =
  /^(?:user|task|summar|answer|system|prompt|safe|secur|ai|assistant|bot|model|content|privacy|data|conversation|page|document|text|mail|message|tool|how|what|operator|developer|owner|vendor|admin|chat|agent|llm|session|nutzer|aufgabe|zusammen|antwort|sicher|ki|seite|modell|utilis|tâche|résum|répons|sécur|ia|modèle|usuario|tarea|resum|respues|segur|modelo)/iu;

const GOES_ON = / (?:and|then|und|et|y|puis|luego|dann) /iu;

export function concernsOtherThing(instruction: string, after: string): boolean {
  const match = OTHER_THING.exec(`${instruction}${after}`);
  const thing = match?.groups?.thing ?? '';
  return match !== null && !OF_A_MODEL.test(thing) && !GOES_ON.test(match[0]);
}

/** A quotation that a model can follow as it is. */
export const isConcrete = (text: string, words: number): boolean =>
  words > MAX_SHORT_WORDS || canBeFollowed(text);

/** Before a quotation: an order to act on it. */
const ANNOUNCED: readonly RegExp[] = [
  anyOf(
    '(?:do|follow|obey|execute|apply|carry out|perform|comply with) (?:exactly )?(?:the following|this|these|as follows|what)\\b',
  ),
  anyOf('(?:befolge|tue?|führe) (?:folgendes|dies|das)\\b'),
  anyOf('(?:fais|exécute|suis) (?:ceci|cela|ce qui)\\b'),
  anyOf('(?:haz|ejecuta|sigue) (?:esto|lo siguiente)\\b'),
  anyOfChinese('(?:执行|遵照|按照)(?:以下|下面|如下)'),
];

export const announcesOrder = (text: string): boolean => isIn(ANNOUNCED, text.replaceAll(NOT_ADOPTED, ' '));

export const adoptsQuotation = (text: string): boolean => isIn(ADOPTED, text.replaceAll(NOT_ADOPTED, ' '));

export const forbids = (before: string): boolean => NEGATED.test(before);

/** Whether a sentence with these words before an instruction reports that it was given or followed. */
export function reportsIndirectly(before: string, instruction: string, after: string): boolean {
  if (isIn(COMMANDED, before)) return false;
  if (isIn(INDIRECT, before) || (PAST.test(instruction) && !PASSIVE.test(before))) return true;
  const sentence = `${before}${instruction}${after}`;
  return (
    GERMAN_INFINITIVE.test(`${instruction}${after}`) &&
    GERMAN_REPORT.test(sentence) &&
    !GERMAN_ORDER.test(sentence)
  );
}
