// Words around an instruction which show that a text reports or quotes it, in every language of the packs.

import { isIn } from './report-words.js';

/** "Must not follow", which is no command. */
const NOT_ADOPTED =
  /(?:\b(?:not|never|nicht|nie|pas|no|nunca|non|não)\b|n['’]t\b|不得|不要|不应|不能|(?<!\p{L})не|(?<!\p{L})لا|(?<!\p{L})لم)\W{0,2}(?:[\p{L}'’]+\W){0,2}[\p{L}]+/giu;

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

/** Without spaces between words, two characters count as a word. */
export function wordsIn(text: string): number {
  const chinese = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return chinese / 2 + (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0);
}

export const reportsSpeech = (text: string): boolean => isIn('reports', text) && !isIn('commands', text);

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

export const announcesOrder = (text: string): boolean => isIn('announces', text.replaceAll(NOT_ADOPTED, ' '));

export const adoptsQuotation = (text: string): boolean => isIn('adopts', text.replaceAll(NOT_ADOPTED, ' '));

/** Instructions of the author, which are about the document and not the model. */
const OWN =
  /(?<!\p{L})(?:my|our|meine[nr]?|unsere[nr]?|mes|nos|mis|nuestr[ao]s|mie|nostre|minhas|nossas|мои|наши|moje|nasze|mijn|onze)(?!\p{L})|我(?:们)?(?:的|之前)|私の|弊社の/iu;

/** What only a model has or does. */
const OF_MODELS =
  /prompt|system|passw|passwort|token|api|summar|zusammenfass|résum|resum|riassun|резюм|пароль|提示|密码|摘要|总结|プロンプト|要約/iu;

/** People are told to ignore earlier instructions of the author, or instructions about something that no model works on. */
export function isToPeople(before: string, instruction: string, after: string): boolean {
  if (!isIn('audience', before) || OF_MODELS.test(`${instruction}${after}`)) return false;
  return OWN.test(instruction) || concernsOtherThing(instruction, after);
}

export const isOwn = (instruction: string): boolean => OWN.test(instruction) && !OF_MODELS.test(instruction);

export const forbids = (before: string): boolean => NEGATED.test(before);

/** Whether a sentence with these words before an instruction reports that it was given or followed. */
export function reportsIndirectly(before: string, instruction: string, after: string): boolean {
  if (isIn('commands', before)) return false;
  if (isIn('indirect', before) || (PAST.test(instruction) && !PASSIVE.test(before))) return true;
  const sentence = `${before}${instruction}${after}`;
  return (
    GERMAN_INFINITIVE.test(`${instruction}${after}`) &&
    GERMAN_REPORT.test(sentence) &&
    !GERMAN_ORDER.test(sentence)
  );
}
