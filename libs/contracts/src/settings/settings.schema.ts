import { MODE_NAMES } from '../control-mode.js';
import { RENDERINGS } from '../output.js';
import { PROMPT_STORAGES } from '../prompt-storage.js';
import { patterns, ruleModes } from './rule-kinds.js';
import type { SettingKind } from './setting-kind.js';
import { boolean, choiceList, integer, oneOf, secret, text, textList, webAddress } from './setting-kinds.js';

export interface SettingDefinition<T> {
  readonly kind: SettingKind<T>;
  readonly default: T;
  /** One sentence: what it does, in the operator's words. */
  readonly help: string;
  /** Configuration only: no override, however authorised. */
  readonly locked: boolean;
  /** Shown by GET /settings. */
  readonly shown: boolean;
}

/** A setting that operators may override at run time. */
function open<T>(kind: SettingKind<T>, fallback: NoInfer<T>, help: string): SettingDefinition<T> {
  return { kind, default: fallback, help, locked: false, shown: true };
}

/** A setting of the deployer's alone. */
function locked<T>(kind: SettingKind<T>, fallback: NoInfer<T>, help: string): SettingDefinition<T> {
  return { kind, default: fallback, help, locked: true, shown: false };
}

const mode = oneOf(...MODE_NAMES);

/** THE list: type, validation, default, allow-list, environment name and docs row of every setting. */
export const SETTINGS_SCHEMA = {
  enabled: {
    ...locked(boolean, true, 'Master switch: off turns every control off.'),
    shown: true,
  },

  'modes.tool_firewall': open(mode, 'enforce', 'What the tool firewall does about violations.'),
  'modes.input_screen': open(mode, 'enforce', 'What input screening does about matches.'),
  'modes.output_handler': open(mode, 'enforce', 'What the output handler does about findings.'),
  'modes.hitl': open(
    mode,
    'enforce',
    'Whether destructive calls wait for a human, or are only recorded as ones that would.',
  ),

  'tool_firewall.enabled': open(boolean, true, 'Switches the tool firewall.'),
  'tool_firewall.reject_unknown_arguments': open(
    boolean,
    true,
    'Refuses arguments that the tool does not declare.',
  ),
  'tool_firewall.owner_keys': open(
    textList(200, 200),
    ['user_id', 'owner_id', 'account_id', 'customer_id'],
    'Arguments that are always overwritten with the authenticated principal.',
  ),

  'input_screen.enabled': open(boolean, true, 'Switches input screening.'),
  'input_screen.refusal_message': open(
    text(2000),
    'This request cannot be processed because it conflicts with our usage policy.',
    'What a blocked user is told.',
  ),
  'input_screen.patterns': open(
    patterns(1000, 2000),
    {},
    'Rules of your own: rule id to /pattern/flags. The id of a built-in rule replaces it.',
  ),
  'input_screen.rule_modes': open(ruleModes(...MODE_NAMES), {}, 'A mode for single rules; off silences one.'),

  'output_handler.enabled': open(boolean, true, 'Switches the output handler.'),
  'output_handler.sanitize_html': open(boolean, true, 'Neutralises HTML in model output.'),
  'output_handler.neutralize_markdown': open(
    boolean,
    true,
    'Neutralises links and images in markdown that could exfiltrate data.',
  ),
  'output_handler.redact_pii': open(boolean, true, 'Replaces personal data in model output.'),
  'output_handler.redact_secrets': open(boolean, true, 'Replaces credentials in model output.'),
  'output_handler.html_mode': open(
    oneOf('escape', 'allowlist'),
    'escape',
    'Escape all markup, or keep a list of harmless tags.',
  ),

  'hitl.enabled': open(boolean, false, 'Switches the bridge to human decisions.'),
  'hitl.destructive_tools': open(
    textList(200, 200),
    ['refund', 'delete', 'send_email'],
    'Tools whose calls wait for a human.',
  ),
  'hitl.fallback': open(
    oneOf('deny', 'pass'),
    'deny',
    'What happens to a destructive call while the bridge is off or not set up.',
  ),

  'normalization.enabled': open(boolean, true, 'Normalises text before it is matched.'),
  'normalization.nfkc': open(boolean, true, 'Folds compatibility forms such as full-width letters.'),
  'normalization.strip_zero_width': open(
    boolean,
    true,
    'Removes invisible, bidirectional and tag characters.',
  ),
  'normalization.casefold': open(boolean, true, 'Folds case.'),
  'normalization.decode_base64_blobs': open(boolean, true, 'Also looks into base64 blobs.'),
  'normalization.fold_confusables': open(boolean, true, 'Folds look-alike letters of other scripts.'),
  'normalization.decode_views': open(
    choiceList('hex', 'percent', 'entities', 'spaced', 'leet', 'rot13', 'reversed'),
    ['hex', 'percent', 'entities', 'spaced', 'leet'],
    'Further decodings that are matched as well.',
  ),
  'normalization.max_prompt_length': open(integer(1), 50_000, 'Code points; a longer text is not judged.'),

  'pattern_safety.on_match_error': open(
    oneOf('closed', 'open'),
    'closed',
    'Whether what could not be judged is blocked.',
  ),

  'tool_authorization.enabled': open(boolean, false, "Asks the host's tool authoriser before every call."),
  'tool_authorization.owner_key_depth': open(
    oneOf('top_level', 'recursive'),
    'recursive',
    'How deep owner keys are overwritten.',
  ),
  'tool_authorization.destructive_match': open(
    oneOf('exact', 'substring'),
    'exact',
    'How a tool is compared with hitl.destructive_tools.',
  ),

  'audit_hygiene.prompt_storage': open(
    oneOf(...PROMPT_STORAGES),
    'redact',
    'How prompts are kept in the audit.',
  ),

  'retention.days': open(
    integer(0),
    365,
    'Days after which audit entries are old. The schedule takes 0 for a mistake.',
  ),
  'retention.strategy': open(
    oneOf('anonymize', 'purge', 'keep'),
    'anonymize',
    'What happens to old entries, on the schedule: texts and names erased, everything deleted, or nothing.',
  ),

  'api.enabled': locked(boolean, false, 'Mounts the admin API.'),
  'api.prefix': locked(
    text(200),
    'guardrails/api',
    'The path under which all routes are mounted; ends in /api.',
  ),
  'api.body_limit': locked(
    integer(1024, 16 * 1024 * 1024),
    256 * 1024,
    'Largest request body in bytes; PUT /settings takes 4 MiB.',
  ),
  'audit.write_policy': locked(
    oneOf('by_mode', 'strict', 'buffered'),
    'by_mode',
    'strict: no audit, no pass. buffered: a failing store refuses nothing, losses are counted. by_mode: strict in enforce, buffered in monitor.',
  ),
  'audit_hygiene.hash_key': locked(
    secret,
    null,
    'Key of the HMAC that stands for a prompt under hash; at least 32 bytes.',
  ),
  'audit_hygiene.truncate_at': locked(integer(1), 2000, 'Code points that truncate keeps.'),
  'output_handler.allowed_hosts': locked(
    textList(200, 200),
    [],
    'Hosts that links and images in model output may lead to; *.a.example admits all below a.example. Empty: every ordinary link stays, and no image from elsewhere.',
  ),
  'output_handler.rendering': locked(
    oneOf(...RENDERINGS),
    'any',
    'How the host shows model output: any (unknown renderer, or inserted as HTML), markdown (a supported renderer; code stays as it is), text (plain text).',
  ),
  'hitl.ttl': locked(
    integer(1),
    3600,
    'Seconds until a parked call expires; and a decision, where nobody ran its call.',
  ),
  'hitl.run_timeout': locked(integer(1), 60, 'Seconds an approved tool may run.'),
  'hitl.four_eyes': locked(boolean, false, 'The requester may not approve.'),
  'hitl.token_delivery': locked(
    oneOf('list', 'out_of_band'),
    'list',
    'Whether GET /approvals shows tokens, or only the notifier gets them.',
  ),
  'retention.schedule': locked(
    oneOf('off', 'hourly', 'daily'),
    'off',
    'How often an instance forgets by itself what is older than retention.days, in the name of guardrails.retention. Its database role must be allowed to.',
  ),
  'hitl.token_secret': locked(
    secret,
    null,
    'Derives approval tokens, seals parked calls, and encrypts tokens for the notifier; at least 32 bytes, the same on every instance.',
  ),
  'hitl.max_open_per_principal': locked(integer(1), 20, 'Parked calls one principal may have waiting.'),
  'events.retention': locked(
    integer(1, 3650),
    7,
    'Days that events stay in the outbox, for the live stream and for replays. What still waits for a sink stays longer.',
  ),
  'events.stream': locked(
    oneOf('off', 'security', 'all'),
    'off',
    'What the live stream shows beside what sinks select. off: nothing more, so that a host without sinks keeps none. security: all of severity medium and above.',
  ),
  'events.max_streams': locked(integer(0, 1000), 10, 'Live streams that one instance serves at once.'),
  'events.panel_url': locked(webAddress, null, 'Where operators find the panel: events link to it.'),
  'store.statement_timeout': locked(integer(1), 2, 'Seconds a read may take in the database.'),
} as const satisfies Record<string, SettingDefinition<never> | SettingDefinition<unknown>>;

export type SettingKey = keyof typeof SETTINGS_SCHEMA;

type Holds<Definition> = Definition extends { readonly kind: SettingKind<infer T> } ? T : never;

export type SettingValue<Key extends SettingKey> = Holds<(typeof SETTINGS_SCHEMA)[Key]>;

export type SettingValues = { readonly [Key in SettingKey]: SettingValue<Key> };

export const SETTING_KEYS = Object.keys(SETTINGS_SCHEMA) as readonly SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS_SCHEMA, key);
}

export function definitionOf(key: SettingKey): SettingDefinition<unknown> {
  return SETTINGS_SCHEMA[key];
}

/** `modes.input_screen` → `GUARDRAILS_MODES_INPUT_SCREEN`. */
export function environmentName(key: SettingKey): string {
  return `GUARDRAILS_${key.replaceAll('.', '_').toUpperCase()}`;
}
