import type { ScreeningRule } from '#contracts/screening.js';
import { words } from './vocabulary.js';

/**
 * How one language addresses the model that reads a text. Parts of patterns in lower case, without diacritics, which
 * normalization removes.
 */
interface Language {
  /** The suffix of the rule ids. */
  readonly id: string;
  readonly name: string;
  /** Names that only a model has. */
  readonly clearModel: readonly string[];
  /** Names that people have, too. */
  readonly model: readonly string[];
  /** Orders that follow the address. */
  readonly orders: readonly string[];
  /** "Must", "should" and the future. */
  readonly duty: readonly string[];
  /** "Reads", "summarizes", "processes". */
  readonly reads: readonly string[];
  /** Rules, limits and checks of an assistant. */
  readonly controls: readonly string[];
  /** "Lifted", "no longer valid". */
  readonly lifted: readonly string[];
  /** "The user wants you to", "has allowed you, the AI". */
  readonly consent: readonly string[];
  /** "System instruction for the model", "your developer writes". */
  readonly authority: readonly string[];
}

const GERMAN: Language = {
  id: 'german',
  name: 'German',
  clearModel: ['ki(?:s|-\\w+)?\\b', 'sprachmodelle?n?', '(?:chat)?bots?'],
  model: [
    'assistent(?:en|in|innen)?',
    'assistenzsysteme?n?',
    'agent(?:en)?',
    'modelle?',
    'automatische (?:leser|systeme)',
  ],
  orders: [
    'antworte',
    'ignoriere?',
    'sage?',
    'vergiss',
    'gib',
    'rufe?',
    'sende',
    'schreibe?',
    'behaupte',
    'befolge',
    'leite',
    'losche?',
    'hange?',
    'hinterlege',
    'bitte',
    'nenne',
    'folge',
    'empfiehl',
    'bestatige',
    'erstatte',
    'nach dieser',
    'bisherige',
    'die vorgaben',
  ],
  duty: [
    'muss(?:en)?',
    'soll(?:en)?',
    'darf(?:st)?',
    'moge',
    'hat zu',
    'haben zu',
    'nennen?',
    'geben',
    'hange?n?',
  ],
  reads: [
    'lies?t',
    'lesen',
    'zusammenfasst',
    'zusammengefasst',
    'auswerte\\w{0,2}',
    'verarbeite\\w{0,2}',
    'bearbeitet',
  ],
  controls: [
    'einschrankung(?:en)?',
    'regeln',
    'vorgaben',
    'richtlinien',
    'beschrankung(?:en)?',
    'freigabe\\w*',
    'prufung',
    'grenzen',
    'vorsicht\\w*',
  ],
  lifted: [
    'aufgehoben',
    'ausgesetzt',
    'ungultig',
    'gelten (?:\\S+ ){0,4}nicht',
    'abgeschaltet',
    'uberspringen',
  ],
  consent: [
    '(?:nutzer|kontoinhaber|kunde|anwender)(?:in)? (?:mochte|will|wunscht),? dass du',
    '(?:hat|haben) (?:dir|dich|mir bereits zugesagt, dass du)\\b',
    'im auftrag de[rs] [^.!?:]{1,60}: ?(?:bot|ki|assistent)',
  ],
  authority: [
    '(?:system\\w*|it-\\w+|administrator|entwickler)\\b[^.!?\\n]{0,60}\\b(?:modell|assistent\\w*|ki|bot|du (?:lauf|bist|darf))',
    'dein(?:e)? (?:entwickler|betreiber|administrator)',
  ],
};

const FRENCH: Language = {
  id: 'french',
  name: 'French',
  clearModel: ["(?:l['’])?ias?\\b", 'modeles? de langage', '(?:chat)?bots?', 'robots?'],
  model: [
    "(?:l['’])?assistants?(?: ia)?",
    "(?:l['’])?agents?(?: automatiques?)?",
    'modeles?',
    'evaluateurs? automatiques?',
  ],
  orders: [
    'ignore[rz]?',
    'reponds',
    'oublie',
    'dis',
    'affirme[rz]?',
    'donne[rz]?',
    'envoie',
    'appelle[rz]?',
    'ecris',
    'suis',
    'obeis',
    'laisse',
    'modifie',
    'recopie',
    'affiche',
    'transfere',
    'supprime',
    'confirme',
    'tes ',
  ],
  duty: [
    'doit',
    'doivent',
    'devra',
    'devront',
    'ecrira',
    'transferera',
    'affichera',
    'affiche',
    'ajoutent',
    'ne citent',
  ],
  reads: ['lit', 'lisent', 'resume', 'resumant', 'consulte(?:nt)?', 'traite(?:nt)?', 'lire', 'lu'],
  controls: ['restrictions?', 'regles', 'consignes', 'directives', 'controles?', 'limites', 'verification'],
  lifted: ['levee?s?', 'annulee?s?', 'suspendue?s?', "ne (?:s['’]appliquent|valent) plus", 'sauter'],
  consent: [
    "(?:utilisateur|titulaire|client) [^.!?]{0,40}(?:veut que tu|t['’](?:autorise|a donne))",
    "(?:m['’]a|nous a) (?:deja )?donne son accord pour que tu",
    'de la part d[ue] [^.!?:]{1,60}: ?(?:agent|robot|assistant|ia)',
  ],
  authority: [
    '(?:systeme|administrateur|concepteur|developpeur|direction)\\b[^.!?\\n]{0,60}\\b(?:modele|assistant|ia|robot|agents? automatiques?)',
    'ton (?:concepteur|developpeur|administrateur)',
  ],
};

const SPANISH: Language = {
  id: 'spanish',
  name: 'Spanish',
  clearModel: ['ias?\\b', 'modelos? de lenguaje', '(?:chat)?bots?'],
  model: ['asistentes?(?: de ia)?', 'agentes?', 'modelos?', 'lectores automaticos', 'sistema automatico'],
  orders: [
    'ignora',
    'responde',
    'olvida',
    'di',
    'dame',
    'envia',
    'llama',
    'sigue',
    'muestra',
    'cancela',
    'contesta',
    'abre',
    'anade',
    'cambia',
    'borra',
    'confirma',
    'pongan',
    'tus ',
    'a continuacion',
  ],
  duty: ['debe[n]?', 'tiene[n]? que', 'deberan?', 'ha[n]? de', 'reenviara', 'muestra', 'anaden'],
  reads: ['lee[n]?', 'lea[n]?', 'resum[ea]n?', 'resumir', 'procese?[an]?', 'vea[n]?', 'ordena', 'leer'],
  controls: ['restricciones', 'normas', 'reglas', 'instrucciones', 'limites', 'verificacion', 'controles'],
  lifted: ['anulad[oa]s?', 'suspendid[oa]s?', 'levantad[oa]s?', 'ya no (?:valen|se aplican)', 'saltarse'],
  consent: [
    '(?:usuario|titular|cliente) [^.!?]{0,40}(?:quiere que (?:envies|tu|hagas|\\w+es\\b)|te autoriza)',
    '(?:me|nos) (?:ya )?(?:confirmo|dijo) que puedes',
    'en nombre de [^.!?:]{1,60}: ?(?:bot|agente|asistente|ia)',
  ],
  authority: [
    '(?:sistema|administrador|desarrollador|seguridad)\\b[^.!?\\n]{0,60}\\b(?:modelo|asistente|ia|bot|agentes)',
    '(?:te escribe )?tu (?:desarrollador|administrador|operador)',
  ],
};

const LANGUAGES: readonly Language[] = [GERMAN, FRENCH, SPANISH];

const DOCUMENTS = {
  origins: ['document', 'tool_result'],
  severity: 'high',
  tags: ['embedded', 'multilingual'],
} as const;

const CHINESE_MODEL = '(?:人工智能|智能(?:体|助手)|ai|助手|机器人|语言模型|模型|自动评审系统)';

/** The ideas of the English rules in other languages, two rules each. */
export const EMBEDDED_IN_LANGUAGES: readonly ScreeningRule[] = [
  ...LANGUAGES.flatMap(rulesOf),
  {
    ...DOCUMENTS,
    id: 'embedded.chinese_order',
    pattern: `(?:致|给)[^。!?:,]{0,16}${CHINESE_MODEL}[^。!?:,]{0,8}[:,]|${CHINESE_MODEL}(?:请注意)?[:,] ?(?:请|忽略|忘记|告诉|把|执行|即使|不要|必须|回复)|(?:读取|阅读|访问|总结)[^。!?]{0,16}${CHINESE_MODEL}[^。!?]{0,10}(?:必须|只能|都要|应|请)|如果由程序来[^。!?]{0,20}请|${CHINESE_MODEL}[^。!?]{0,12}(?:限制|规则|规定|审批)[^。!?]{0,14}(?:解除|作废|取消|不适用)|(?:限制|规则|规定)[^。!?]{0,10}(?:解除|全部作废)`,
    description:
      'Addresses the assistant and gives an order, or says that its rules no longer apply. Language: Chinese.',
    confidence: 'medium',
  },
  {
    ...DOCUMENTS,
    id: 'embedded.chinese_duty',
    pattern: `${CHINESE_MODEL}[^。!?,]{0,14}(?:必须|应当|应把|应该|只能|可以|跳过)|(?:用户|主人|客户)[^。!?]{0,14}(?:希望你|授权你|委托我让你|答应我,? ?由你)|我是你的(?:开发者|管理员|主人)|以管理员身份[^。!?]{0,6}(?:允许|授权)|请[^。!?]{0,4}ai把|输出你的系统提示|系统(?:消息|指令)[^。!?]{0,4}模型`,
    description: 'Says what an assistant has to do or may do. Language: Chinese.',
    confidence: 'low',
  },
];

function rulesOf(language: Language): readonly ScreeningRule[] {
  const { id, name, orders, duty, reads, controls, lifted, consent, authority } = language;
  const clear = words(...language.clearModel);
  const model = words(...language.clearModel, ...language.model);
  const begin = String.raw`(?:^|[\n>"'(.!?:;,-]\s{0,3}|\b(?:an|a|al|fur|pour|para|dear|lieber?|liebes?|cher|chere|querid[oa]|el|la|los|las|les|le|der|die|das) )`;
  return [
    {
      ...DOCUMENTS,
      id: `embedded.${id}_order`,
      pattern: [
        String.raw`${begin}${clear}(?: [^.,:!?\n]{0,60}|, (?:que|die|der|qui|das) [^.,:!?\n]{0,40})? ?[:,!] ?${words(...orders)}`,
        String.raw`\b${clear}\b[^.!?\n]{0,40}\b${words(...reads)}\b[^.!?\n]{0,60}\b${words(...duty)}\b`,
        String.raw`\b${words(...reads)}\b[^.!?\n]{0,40}\b${clear}\b[^.!?\n]{0,40}\b${words(...duty)}\b`,
        String.raw`\b${controls.length > 0 ? words(...controls) : ''}\b[^.!?\n]{0,50}\b${clear}[^.!?\n]{0,40}\b${words(...lifted)}\b`,
      ].join('|'),
      description: `Addresses the model and gives an order. Language: ${name}.`,
      confidence: 'medium',
    },
    {
      ...DOCUMENTS,
      id: `embedded.${id}_duty`,
      pattern: [
        String.raw`\b${model} (?:[^\s.!?]+ ){0,3}?${words(...duty)}\b`,
        String.raw`\b${words(...controls)}\b[^.!?\n]{0,40}\b${words(...lifted)}\b`,
        String.raw`${begin}${model}(?: [^.,:!?\n]{0,60})? ?[:,!] ?${words(...orders)}`,
        String.raw`\b${words(...consent)}`,
        String.raw`\b${words(...authority)}\b`,
      ].join('|'),
      description: `Says what an assistant has to do, or may do for its user. Language: ${name}.`,
      confidence: 'low',
    },
  ];
}
