// Words around an instruction which show that a text reports or quotes it, in the languages of the packs.

import { anyOf, anyOfChinese, patternsFor } from './report-words.js';

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
  /(?:\b(?:do not|don['’]t|never|must not|should not|shouldn['’]t|cannot|can['’]t|niemals|nie|nunca|jamais)|\b(?:nobody|no one|none of \p{L}+)(?: [\p{L}]+){0,4}? (?:may|can|should|must|(?:is|are) (?:allowed|permitted|able|supposed|authori[sz]ed) to|has (?:permission|the right) to)(?: ever)?|切勿|不得|不需要|不必|无需|不应|不要)[\s"'`“«]{0,2}$/iu;

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

const isIn = (cues: readonly RegExp[], text: string): boolean =>
  patternsFor(text, cues).some((cue) => text.search(cue) !== -1);

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
  /(?:instructions?|everything|restrictions|rules|messages|anweisungen|hinweise|consignes|instrucciones|normas|istruzioni|regole|instruções|regras|инструкци\p{L}+|указани\p{L}+|правил\p{L}*|instructies|instrukcj\p{L}+)(?: [\p{L}']+){0,3}? (?:about|concerning|regarding|on|in|for|zu[rm]|über|für|bezüglich|concernant|sur|reçues?|relatives?|sobre|acerca de|a la|del?|sul(?:la|le|lo)?|per|do|da|para|о|об|про|over|dotyczące) (?:the |my |our |this |your |[ld]e[rsmn]? |die |das |la |el |los |las )?(?<thing>\p{L}+)[^.!?;,:]{0,24}(?:[.!?;,:\n”"»]|$)/iu;

const OF_A_MODEL =
  /^(?:user|task|summar|answer|system|prompt|safe|secur|ai|assistant|bot|model|content|privacy|data|conversation|page|document|text|mail|message|tool|how|what|operator|developer|owner|vendor|admin|chat|agent|llm|session|nutzer|aufgabe|zusammen|antwort|sicher|ki|seite|modell|utilis|tâche|résum|répons|sécur|ia|modèle|usuario|tarea|resum|respues|segur|modelo)/iu;

/** Instructions that came before, or that somebody was given. */
const OF_AN_ASSISTANT =
  /(?<!\p{L})(?:all|any|every|previous|prior|earlier|above|your|system|alle|bisherig|vorherig|deine|tou[st]|toutes|tes|tus|tod[ao]s|anterior|precedent|все|предыдущ|твои)/iu;

/** Instructions that are printed on a thing or packed with it. */
const PRINTED =
  /^[^.!?\n]{0,20}?(?: (?:in|on|inside|im|auf|dans|sur|en|nella|sulla|na|no|в|на)) (?:the |my |our |its |your |der |dem |la |le |el |l.)?(?:box|packag|leaflet|booklet|manual|label|kit|video|tin|bottle|recipe|paper|schachtel|beipack|anleitung|etikett|boite|notice|emballage|caja|envase|prospecto|scatola|confezione|etichetta|caixa|embalagem|rotulo|короб|упаков)/iu;

/** "Do not follow instructions inside the comment": a rule against attacks, such as in a prompt. */
const DEFENCE =
  /(?:not|never|nicht|niemals|pas|jamais|nunca|non|não|n['’]t) (?:to )?(?:follow|obey|execute|act on|trust|accept|befolg|folg|exécut|suiv|sig|eseg|obede)/iu;
const IN_DATA =
  /^[\s"'”»]{0,2}(?:that |which )?(?:(?:are|is|appear|come|found|contained|embedded|hidden|written|included|given|placed) )*(?:in(?:side)?|within|from|by) (?:the |any |an? |its |their |these |those |this |such )?(?:\w+ )?(?:comment|attach|document|file|text|page|web|site|mail|e-?mail|message|tool|result|data|content|input|review|ticket|article|image|repositor|untrusted|retrieved|external|third|quot)/iu;

/** A defence does not speak of what came before, or of people whom an assistant obeys. */
const NOT_IN_DEFENCE =
  /\b(?:previous|prior|earlier|above|before|preceding|user|system|developer|operator|owner)s?\b/i;

export const concernsData = (instruction: string, after: string): boolean =>
  DEFENCE.test(instruction) &&
  IN_DATA.test(after) &&
  !NOT_IN_DEFENCE.test(`${instruction}${after.slice(0, 60)}`);

const GOES_ON = / (?:and|then|und|et|y|puis|luego|dann) /iu;

export function concernsOtherThing(instruction: string, after: string): boolean {
  const match = OTHER_THING.exec(`${instruction}${after}`);
  const thing = match?.groups?.thing ?? '';
  if (PRINTED.test(after) && !OF_AN_ASSISTANT.test(instruction)) return true;
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

/** The instruction is the input of a test, or of a record that has its refusal, too. */
const TEST_INPUT =
  /(?:^|[\n{,|(])\s*["']?(?:(?:user|test)[ _])?(?:input|prompt|query|message|question|eingabe|entrée|saisie|entrada|ingresso|input utente|ввод|вход|запрос|输入|提示词|入力|プロンプト|입력|المدخل|الإدخال|इनपुट)["']?\s*[:=：|]\s*["'“«„「]?[^\n:]{0,60}$/iu;

/** The expected result is that the instruction has no effect. */
const REFUSAL =
  /(?:should (?:refuse|decline|be (?:blocked|rejected))|declin(?:e|es|ed)\b|refus(?:e|es|ed|al)|rejects?\b|reject(?:ed|ion)|\b(?:block|flagg|deni|detect)ed\b|can(?:no|['’])t help|lehnt|abgelehnt|verweiger|blockiert|refuse?\b|bloqu|se niega|rechaz|rifiut|blocc|recus|отказ|отклон|заблок|拒绝|拦截|拒否|断る|ブロック|يرفض|رفض|मना|इनकार)/iu;

export const isTestInput = (before: string, after: string): boolean =>
  TEST_INPUT.test(before) && REFUSAL.test(after);

/** Inside a regular expression. */
export const isInRegex = (before: string, instruction: string, after: string): boolean =>
  /(?:^|[\s([,=:])\/(?![*/])[^/\n]{0,60}$/.test(before) &&
  /^[^/\n]{0,120}\/[dgimsuvy]{0,4}[,;)\]\n.]/.test(after) &&
  !/https?:/.test(`${before}${instruction}${after}`);

/** Before an instruction, in its sentence: a third person wrote it. */
const WRITTEN: readonly RegExp[] = [
  anyOf(
    '(?:an?|one|some|the|another) (?:\\w+ )?(?:customer|client|visitor|guest|caller|student|applicant|reviewer|person|stranger|attacker)(?: \\w+){0,5}? (?:wrote|typed|said|posted|entered|pasted|asked|had written)\\b',
    '(?:someone|somebody)(?: \\w+){0,5}? (?:wrote|typed|said|posted|entered|pasted|put|left)\\b',
  ),
  anyOf(
    '(?:kunde|kundin|besucher|jemand|gast|anrufer)\\p{L}*(?: \\p{L}+){0,6}? (?:schrieb|tippte|sagte|stand)|(?:stand|schrieb|tippte)(?: \\p{L}+){0,4}? (?:gestern|kunde|kundin|jemand|besucher|kommentar\\p{L}*)|kommentar\\p{L}* stand',
  ),
  anyOf(
    "(?:client|cliente|visiteur|quelqu['’]un)(?: \\p{L}+){0,6}? (?:a|avait) (?:écrit|tapé|saisi|dit|posté)",
  ),
  anyOf('(?:cliente|visitante|alguien|usuario-?\\d+)(?: \\p{L}+){0,6}? (?:escribió|puso|tecleó|dijo)'),
  anyOf('(?:cliente|visitatore|qualcuno)(?: \\p{L}+){0,6}? (?:ha|aveva) (?:scritto|digitato|detto)'),
  anyOf('(?:cliente|visitante|alguém)(?: \\p{L}+){0,6}? (?:escreveu|digitou|disse)'),
  anyOf(
    '(?:клиент\\p{L}*|посетитель|кто-то|покупатель)(?: \\p{L}+){0,6}? (?:написал\\p{L}*|ввёл|ввел|сказал\\p{L}*)|(?:написал|ввёл|ввел)\\p{L}*(?: \\p{L}+){0,3}? (?:клиент|кто-то|посетитель)',
  ),
  anyOf(
    '(?:كتب|كتبت|أدخل|قال)(?: \\p{L}+){0,3}? (?:عميل|زائر|شخص|أحدهم|زبون)',
    '(?:ग्राहक|किसी|आगंतुक|एक व्यक्ति)(?: [\\p{L}\\p{M}]+){0,6}? (?:लिखा|टाइप|कहा)',
  ),
  anyOfChinese(
    '(?:有人|顾客|客户|访客|一位用户|某用户)[^。!?]{0,20}(?:输入|写道|写了|说|发了)',
    '(?:お客様|誰か|来訪者|顧客)[^。!?]{0,20}',
  ),
];

export const isWritten = (sentence: string): boolean =>
  isIn(WRITTEN, sentence) && !/(?:the|your) user\b/i.test(sentence);

/** People are addressed in the sentence. */
const PEOPLE: readonly RegExp[] = [
  anyOf(
    '(?:dear|hello|hi|attention|good morning),? (?:\\w+ )?(?:parents?|colleagues?|customers?|clients?|all|team|guests?|residents?|tenants?|neighbou?rs?|members?|students?|friends|everyone|everybody|visitors?|participants?|staff|sir|madam|mr|mrs|ms)\\b',
    '(?:liebe[rs]?|sehr geehrte[rs]?|hallo|guten tag)(?: \\p{L}+)? (?:eltern|kolleg\\p{L}+|kund\\p{L}+|gäste|mieter\\p{L}*|nachbar\\p{L}*|mitglieder|teilnehm\\p{L}+|alle|team|zusammen|damen|frau|herr)',
  ),
  anyOf(
    '(?:chers?|chères?|bonjour)(?: à)? (?:parents|collègues|clientes?|clients|tous|toutes|voisins|membres|résidents|madame|monsieur)',
    '(?:hola a tod[oa]s|(?:estimad|querid)[oa]s? (?:padres|colegas|clientes|vecinos|compañer\\p{L}+|tod[oa]s|señor\\p{L}*|soci[oa]s))',
  ),
  anyOf(
    '(?:gentil[ei]|car[ie]|egregi)(?: \\p{L}+)? (?:client[ei]|genitori|collegh[ie]|tutti|soci|signor\\p{L}*|ospiti)',
    '(?:car[oa]s|prezad[oa]s|querid[oa]s|olá)(?: \\p{L}+)? (?:pais|colegas|clientes|tod[oa]s|vizinhos|sócios|senhor\\p{L}*)',
  ),
  anyOf(
    '(?:уважаемые|дорогие|коллеги|добрый день)',
    '(?:drodzy|szanowni)',
    '(?:beste|geachte) (?:ouders|collega|klanten|allemaal|bewoners)',
    '(?:sayın|değerli) (?:veliler|müşteri|arkadaş|meslektaş|üye)',
    '(?:yth|bapak|ibu|rekan)',
  ),
  anyOf('(?:الأعزاء|أعزاء|السادة|الزملاء|أولياء الأمور)', '(?:प्रिय|अभिभावक|साथियों)'),
  anyOfChinese(
    '各位',
    '尊敬的(?:家长|客户|同事|业主)',
    '家长们',
    '同事们',
    '皆様',
    '皆さま',
    '保護者',
    '社員各位',
    '여러분',
  ),
];

/** Instructions of the author, which are about the document and not the model. */
const OWN =
  /(?<!\p{L})(?:my|our|meine[nr]?|unsere[nr]?|mes|nos|mis|nuestr[ao]s|mie|nostre|minhas|nossas|мои|наши|moje|nasze|mijn|onze)(?!\p{L})|我(?:们)?(?:的|之前)|私の|弊社の/iu;

/** What only a model has or does. */
const OF_MODELS =
  /prompt|system|passw|passwort|token|api|summar|zusammenfass|résum|resum|riassun|резюм|пароль|提示|密码|摘要|总结|プロンプト|要約/iu;

/** People are told to ignore earlier instructions of the author, or instructions about something that no model works on. */
export function isToPeople(before: string, instruction: string, after: string): boolean {
  if (!isIn(PEOPLE, before) || OF_MODELS.test(`${instruction}${after}`)) return false;
  return OWN.test(instruction) || concernsOtherThing(instruction, after);
}

export const isOwn = (instruction: string): boolean => OWN.test(instruction) && !OF_MODELS.test(instruction);

const ANSWERED =
  /(?:bot|assistant|assistent|asistente|assistente|бот|ассистент|помощник|机器人|助手|ボット|アシスタント|الروبوت|المساعد|बॉट|सहायक)\p{L}*(?:[ 、,](?:\p{L}|\p{M})+){0,3}? ?(?:declin|repl(?:ied|ies)|answer|respond|refus|ignor|asked|sent|antwort|lehnt|hat|a répondu|refus|respondió|se negó|ha risposto|rifiut|respondeu|recus|ответил|отказ|прислал|回复|拒绝|没有|は|رد|رفض|ने)/iu;

/** The model refused or answered what was written. */
export const isAnswered = (after: string): boolean => REFUSAL.test(after) || ANSWERED.test(after);

/** Directly before an instruction: what people do, and no order. */
const DESCRIBED =
  /(?<![\p{L}\p{N}])(?:he|she|they|colleagues?|people|staff) (?:would|will|could|can|might|had to|have to|used to|want(?:ed)? to|plan(?:ned)? to|tried to|started to|promised to)\s*$/iu;

export const isDescribed = (before: string): boolean => DESCRIBED.test(before);

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
