/** Named references of ASCII characters, spaces, dashes and invisible characters. Others hide no finding. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Tab: '\t',
    NewLine: '\n',
    excl: '!',
    quot: '"',
    QUOT: '"',
    num: '#',
    dollar: '$',
    percnt: '%',
    amp: '&',
    AMP: '&',
    apos: "'",
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    lt: '<',
    LT: '<',
    equals: '=',
    gt: '>',
    GT: '>',
    quest: '?',
    commat: '@',
    lsqb: '[',
    lbrack: '[',
    bsol: '\\',
    rsqb: ']',
    rbrack: ']',
    Hat: '^',
    lowbar: '_',
    UnderBar: '_',
    grave: '`',
    DiacriticalGrave: '`',
    lcub: '{',
    lbrace: '{',
    verbar: '|',
    vert: '|',
    VerticalLine: '|',
    rcub: '}',
    rbrace: '}',
    fjlig: 'fj',
    nbsp: ' ',
    NonBreakingSpace: ' ',
    ensp: ' ',
    emsp: ' ',
    emsp13: ' ',
    emsp14: ' ',
    numsp: ' ',
    puncsp: ' ',
    thinsp: ' ',
    ThinSpace: ' ',
    hairsp: ' ',
    VeryThinSpace: ' ',
    MediumSpace: ' ',
    hyphen: '-',
    dash: '-',
    ndash: '-',
    mdash: '-',
    minus: '-',
    horbar: '-',
    shy: '',
    ZeroWidthSpace: '',
    NegativeVeryThinSpace: '',
    NegativeThinSpace: '',
    NegativeMediumSpace: '',
    NegativeThickSpace: '',
    zwj: '',
    zwnj: '',
    lrm: '',
    rlm: '',
    NoBreak: '',
    ApplyFunction: '',
    af: '',
    InvisibleTimes: '',
    it: '',
    InvisibleComma: '',
    ic: '',
  }),
);
/** Browsers accept these without a semicolon. */
const WITHOUT_SEMICOLON = /^&(?:amp|AMP|gt|GT|lt|LT|nbsp|quot|QUOT|shy)/;

export interface DecodedReference {
  readonly character: string;
  /** Units of the reference. */
  readonly length: number;
}

/** Decodes `&#95;`, `&#x5F;` or `&lowbar;`, also without a semicolon where browsers do; `null` if it is none of them. */
export function decodeReference(reference: string): DecodedReference | null {
  const [, decimal, hexadecimal] = /^&#(?:(\d+)|[xX]([0-9a-fA-F]+))/.exec(reference) ?? [];
  if (decimal !== undefined || hexadecimal !== undefined) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
    return { character: code === 0 ? '' : String.fromCodePoint(code), length: reference.length };
  }
  if (reference.endsWith(';')) {
    const character = NAMED.get(reference.slice(1, -1));
    if (character !== undefined) return { character, length: reference.length };
  }
  const [legacy] = WITHOUT_SEMICOLON.exec(reference) ?? [];
  const character = NAMED.get(legacy?.slice(1) ?? '');
  return legacy === undefined || character === undefined ? null : { character, length: legacy.length };
}
