// Words of reports about attacks, in the languages of the embedded packs. Each pattern is a list of words, so its run time
// is linear.

export const anyOf = (...alternatives: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join('|')})`, 'giu');

/** Chinese has no spaces between words, so its words have no border. */
export const anyOfChinese = (...alternatives: readonly string[]): RegExp =>
  new RegExp(alternatives.join('|'), 'gu');

/** The text is about attacks, or about their detection. */
const ATTACK: readonly RegExp[] = [
  anyOf(
    '(?:prompt[ -]?)?injections?\\b',
    'injected\\b',
    'jailbreak',
    'attack(?:s|ers?|ed)?\\b',
    'adversar(?:y|ies|ial)\\b',
    'phish',
    'scam(?:s|mers?)?\\b',
    'spam(?:mers?)?\\b',
    'frauds?(?:ulent|sters?)?\\b',
    'malicious',
    'hack(?:s|ers?|ed)\\b',
    'exploits?\\b',
    'suspicious',
    'manipulat',
    'tricks?\\b',
    'payloads?\\b',
    'red[ -]team',
    'social engineering',
    'false (?:alarm|positive)s?\\b',
    '(?:flagged|detected|detects?|detection|filtered|rejected)\\b',
    '(?:test|attack|sample|security) (?:cases?|data|strings?|inputs?|prompts?)\\b',
    'must be (?:found|blocked)\\b',
    '(?:blocked|(?:was|were|is|are|got) reported)\\b',
    'mis(?:lead|led|use)',
    'deceiv',
    'fool(?:s|ed|ing)\\b',
    'bypass(?:es|ed|ing)\\b',
    'vulnerab',
    'threats?\\b',
    'warn(?:s|ed|ings?)\\b',
    'traps?\\b',
    'abus(?:e|es|ed|ive)\\b',
    '(?:hid|hides|hiding|smuggl\\w+|planted|sneak\\w*)\\b',
    '(?:hidden|white|invisible) (?:text|instruction|comment|prompt|order|command|line|letter|sentence)s?\\b',
    '(?:obeyed|complied)\\b',
    '(?:followed|repeated|executed|carried out|fell for) (?:the|it|them|this|orders?|instructions?|such)\\b',
    'pen(?:etration)?[ -]?test',
    'security (?:training|awareness|course|research|review|test)',
  ),
  anyOf(
    'angriff',
    'angreifer',
    'injektion',
    'einschleus',
    'betrug',
    'betrüg',
    'schädlich',
    'schadhaft',
    'bösartig',
    'manipulier',
    'verdächtig',
    'täusch',
    'gefälscht',
    'fehlalarm',
    'überlist',
    'austricks',
    'hereinleg',
    'irreführ',
    'missbrauch',
    'warn(?:t|te|en|ung)',
    'sicherheits(?:test|schulung|lücke|forsch|übung)',
    'versteckte[nrs]? (?:text|anweisung|befehl|kommentar)',
    'abgewehrt\\b',
    'gefiltert\\b',
    'test(?:fall|fälle|daten|satz)',
    '(?:erkannt|blockiert|gemeldet)\\b',
    '(?:versteckt|gehorcht)',
    '(?:darauf )?(?:hereingefallen|herein)\\b',
    '(?:hat|haben|hatte) (?:\\p{L}+ ){0,3}?befolgt\\b',
    'phishing',
  ),
  anyOf(
    'attaqu',
    'pirat',
    'malveillant',
    'frauduleu',
    'escroc',
    'arnaqu',
    'hameçonnage',
    'suspect',
    'pièg',
    'tromp(?:er|eu)',
    'cas de test',
    'fausse alerte',
    'détourn',
    'avert',
    'vulnérab',
    'leurr',
    'cach(?:é|er|ai)',
    'obéi(?!\\p{L})',
    'faille',
    'sensibilisation',
    '(?:bloqué|détecté|signalé|filtré)',
    'faux (?:courriel|message|mail|e-mail)',
  ),
  anyOf(
    'ataque',
    'atacante',
    'inyecci',
    'malicios',
    'estafa',
    'sospechos',
    'engañ',
    'suplantaci',
    'casos? de prueba',
    'falsa alarma',
    'trampa',
    'advert',
    'avisa(?:n|ron)?\\b',
    'vulnerab',
    'ocult',
    'escond',
    'obedec(?:ió|ieron)',
    'fallo(?!\\p{L})',
    'concienciación',
    '(?:bloquead|detectad|filtrad)[oa]',
    'correos? falsos?',
  ),
  anyOfChinese(
    '注入',
    '攻击',
    '越狱',
    '恶意',
    '钓鱼',
    '诈骗',
    '骗子',
    '欺骗',
    '可疑',
    '黑客',
    '误报',
    '测试用例',
    '假邮件',
    '伪造',
    '诱导',
    '陷阱',
    '误导',
    '漏洞',
    '冒充',
    '拦截',
    '检测',
    '安全培训',
    '安全测试',
    '隐藏',
    '藏(?:了|着|在)',
    '照做了',
    '提醒',
    '警告',
  ),
];

/** Words of reports about attacks that other texts have, too. */
const SUBJECT: readonly RegExp[] = [
  anyOf(
    'secur(?:ity|e)\\b',
    '(?:training|awareness|course|lecture|workshop)s?\\b',
    'research(?:ers?)?\\b',
    'examples?\\b',
    'explain(?:s|ed)?\\b',
    '(?:blog|article|paper)s?\\b',
    '(?:do not|don.t|never|nobody) (?:open|click|follow|reply|answer|believe|trust|forward)\\b',
    'filters?\\b',
    'tests?\\b',
    'incidents?\\b',
    'fix(?:ed|es)?\\b',
    'prevent\\w*',
    'lessons?\\b',
    'quiz',
    'report(?:s|ed)?\\b',
    'so-called\\b',
    'defen[cds]\\w+',
    'protect\\w*',
    'fakes?\\b',
    'harmless\\b',
    '(?:experts?|talks?|demo(?:nstrat\\w+)?|show(?:s|ed|n))\\b',
  ),
  anyOf(
    '\\p{L}*sicherheit',
    '\\p{L}*schulung',
    'beispiel',
    'forsch',
    'erklär',
    '(?:blog|artikel|vortrag)',
    'filter',
    '(?:bitte )?nicht (?:öffnen|anklicken|befolgen|antworten|darauf)',
    'vorfall',
    '(?:zeigt|expert|vorgeführt)',
    'behoben\\b',
    'melde[nt]?\\b',
    'schutz',
    'schütz',
  ),
  anyOf(
    'sécurité',
    'formation',
    'exemple',
    'cherch',
    'expliqu',
    '(?:blog|article)',
    'filtre',
    'corrig',
    'signal',
    '(?:expert|conférence|montr|démontr)',
    "n[e’'] ?(?:les |la |le |l.)?(?:ouvrez|cliquez|suivez|répondez|ouvre|clique)",
    'incident',
    'protég',
  ),
  anyOf(
    'seguridad',
    'curso',
    'formación',
    'ejemplo',
    'investiga',
    'explica',
    '(?:blog|artículo)',
    'filtro',
    'corrig',
    'denunci',
    '(?:expert|charla|mostr|demostr)',
    'no (?:los |las |lo |la )?(?:abras?|abran|hagas|sigas|respondas|pulses)',
    'incidente',
    'proteg',
  ),
  anyOfChinese(
    '安全',
    '培训',
    '示例',
    '例子',
    '研究',
    '解释',
    '博客',
    '文章',
    '过滤',
    '测试',
    '请勿',
    '不要(?:打开|点击|回复)',
    '修复',
    '讲座',
    '演示',
    '专家',
    '举报',
    '防范',
    '防护',
  ),
];

/** The words after a quotation say that it is not followed. */
const REFUSED: readonly RegExp[] = [
  anyOf(
    '(?:must|should|may|can|did|does|do|will|would|could)(?: not|n.t) (?:\\w+ )?(?:follow|obey|execute|react|comply|act|work|do)',
    'refus(?:es|ed)\\b',
    'ignored (?:it|this|that|them)\\b',
    '(?:answered|responded|replied) (?:correctly|that)\\b',
  ),
  anyOf(
    '(?:darf|soll|sollte|muss|wird|hat|kann)(?: \\p{L}+){0,4}? nicht (?:\\p{L}+ )?(?:befolg|folgen|gefolgt|gehorch|hören|ausführ|reagier)',
    'nicht befolgt',
    'abgelehnt',
  ),
  anyOf('(?:ne doit|ne doivent|n.a|ne) (?:pas|jamais) (?:\\p{L}+ )?(?:obé|suiv|exécut|réag)', 'a refusé'),
  anyOf(
    'no (?:debe|deben|debería|hizo|puede) (?:\\p{L}+ )?(?:obede|segui|ejecut|reaccion|caso)',
    'se negó',
    'rechazó',
  ),
  anyOfChinese(
    '不得(?:执行|遵从|服从|照做)',
    '不(?:会|能|应|要|可)(?:执行|遵从|服从|照做|听从)',
    '没有(?:执行|遵从|照做)',
    '拒绝',
  ),
];

/** The words of a report by their first letters, each with its weight: 2 if they are about attacks. */
export type Cues = ReadonlyMap<string, number>;

/** Before a word about attacks: the text says that it is none. */
const DENIED =
  /(?:(?<![\p{L}\p{N}])(?:not|no|never|non|(?:is|are|was)n['’]t|nicht|kein(?:e[nrms]?)?|pas|nunca)\s+(?:(?:an?|any|the|some|ein(?:e[nrms]?)?|un[ea]?|de)\s+){0,2}|不是|并非|没有)$/iu;

/** Units before a word in which it is denied. */
const DENIAL = 24;

/** Units of a word that forms of the same word have in common. */
const STEM = 5;

export function cuesIn(text: string): Cues {
  const cues = new Map<string, number>();
  for (const [weight, patterns] of [
    [1, SUBJECT],
    [2, [...ATTACK, ...REFUSED]],
  ] as const) {
    for (const { 0: word, index } of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      if (DENIED.test(text.slice(Math.max(0, index - DENIAL), index))) continue;
      cues.set(word.slice(0, STEM).toLowerCase(), weight);
    }
  }
  return cues;
}

export const areAboutAttacks = (cues: Cues): boolean => [...cues.values()].includes(2);

/** Of each word once. */
export const weightOf = (cues: Iterable<readonly [string, number]>): number =>
  [...new Map(cues).values()].reduce((sum, weight) => sum + weight, 0);
