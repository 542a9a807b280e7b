import { ConfigurationError } from '../common/errors.js';
import { MODE_NAMES } from '../common/control-mode.js';
import { PROMPT_STORAGES } from '../common/text.js';
import {
  boolean,
  choiceList,
  integer,
  oneOf,
  optionalText,
  hostList,
  originList,
  originModes,
  patterns,
  renamed,
  ruleModes,
  secret,
  type SettingKind,
  text,
  textList,
  webAddress,
} from './setting-kinds.js';
import { RENDERINGS } from '../output/output.js';
import { CLASSIFIER_THRESHOLDS, PROFILES } from '../screening/screening.js';
import { screeningExceptions } from './exception-kind.js';
import { toolPolicies } from './policy-kind.js';

/** One setting: kind, default, help, and who may change it. */
export interface SettingDefinition<T> {
  readonly kind: SettingKind<T>;
  readonly default: T;
  /** One sentence for operators. */
  readonly help: string;
  /** Configuration only; cannot be overridden. */
  readonly locked: boolean;
  /** Shown by GET /settings. */
  readonly shown: boolean;
  /** A locked setting that may be overridden, and is shown, where this configuration-only setting is `true`. */
  readonly unlockedBy?: string;
  /** How a value can weaken protection. Default: no value does. */
  readonly weakens?: Weakening;
}

export interface Weakening {
  /** The values that protect less than the others, the weakest last. For an object, these are values of its entries. */
  readonly values?: readonly unknown[];
  /** What weakens a list or an object. */
  readonly entries?: 'added' | 'removed';
}

/** A setting that operators may override at run time. */
function open<T>(
  kind: SettingKind<T>,
  fallback: NoInfer<T>,
  help: string,
  weakens: Weakening = {},
): SettingDefinition<T> {
  return { kind, default: fallback, help, locked: false, shown: true, weakens };
}

/** A configuration-only setting. */
function locked<T>(kind: SettingKind<T>, fallback: NoInfer<T>, help: string): SettingDefinition<T> {
  return { kind, default: fallback, help, locked: true, shown: false };
}

const mode = oneOf(...MODE_NAMES);

/** The list of settings: type, validation, default, allow-list, environment name and docs row of each. */
export const SETTINGS_SCHEMA = {
  enabled: {
    ...locked(boolean, true, 'Master switch: off turns every control off.'),
    shown: true,
  },

  'modes.tool_firewall': open(
    mode,
    'enforce',
    'Mode of the tool firewall: block, record or ignore violations.',
    { values: ['monitor', 'off'] },
  ),
  'modes.input_screen': open(mode, 'enforce', 'Mode of input screening: block, record or ignore matches.', {
    values: ['monitor', 'off'],
  }),
  'modes.output_handler': open(
    mode,
    'enforce',
    'Mode of the output handler: sanitize, record or ignore findings.',
    { values: ['monitor', 'off'] },
  ),
  'modes.hitl': open(
    mode,
    'enforce',
    'Mode of Approvals: destructive calls wait, are recorded, or neither.',
    { values: ['monitor', 'off'] },
  ),

  'tool_firewall.enabled': open(boolean, true, 'Switches the tool firewall on or off.', { values: [false] }),
  'tool_firewall.reject_unknown_arguments': open(
    boolean,
    true,
    'Refuses arguments that the tool does not declare.',
    { values: [false] },
  ),
  'tool_firewall.owner_keys': open(
    textList(200, 200),
    ['user_id', 'owner_id', 'account_id', 'customer_id'],
    'Arguments that are always overwritten with the authenticated principal.',
    { entries: 'removed' },
  ),

  'input_screen.enabled': open(boolean, true, 'Switches input screening on or off.', { values: [false] }),
  'input_screen.refusal_message': open(
    text(2000),
    'This request cannot be processed because it conflicts with our usage policy.',
    'Message for a blocked user.',
  ),
  'input_screen.patterns': open(
    patterns(1000, 2000),
    {},
    'Additional rules: rule id to /pattern/flags. The id of a built-in rule replaces it.',
    { entries: 'removed' },
  ),
  'input_screen.rule_modes': open(
    ruleModes(...MODE_NAMES),
    {},
    'Mode of single rules; off turns a rule off.',
    { values: ['monitor', 'off'] },
  ),
  'input_screen.profile': open(
    oneOf(...PROFILES),
    'balanced',
    'Which rules may block: lenient those of high confidence, balanced also medium, strict all. The others are in monitor mode.',
    { values: ['lenient'] },
  ),
  'input_screen.classifier_threshold': open(
    renamed(oneOf(...CLASSIFIER_THRESHOLDS), { '1%': 'low', '0.5%': 'medium', '0.1%': 'high' }),
    'high',
    'Score above which the classifier blocks: high blocks least, and least by mistake. Above the next lower threshold it is in monitor mode. Its mode is set in input_screen.rule_modes: { classifier: … }.',
    { values: ['high'] },
  ),
  'input_screen.origin_modes': open(
    originModes,
    {},
    'Weakens the mode for prompts, documents or results of tools; it cannot strengthen it.',
    { values: ['monitor', 'off'] },
  ),
  'input_screen.screen_tool_results': open(
    boolean,
    true,
    'Screens what a guarded tool returns before the model reads it.',
    { values: [false] },
  ),
  'input_screen.exceptions': open(
    screeningExceptions,
    [],
    'Phrases in which matches of a rule do not count, each with a reason and an end at most 90 days ahead.',
    { entries: 'added' },
  ),

  'output_handler.enabled': open(boolean, true, 'Switches the output handler on or off.', {
    values: [false],
  }),
  'output_handler.sanitize_html': open(boolean, true, 'Neutralizes HTML in model output.', {
    values: [false],
  }),
  'output_handler.neutralize_markdown': open(
    boolean,
    true,
    'Neutralizes links and images in markdown that could exfiltrate data.',
    { values: [false] },
  ),
  'output_handler.redact_pii': open(boolean, true, 'Replaces personal data in model output.', {
    values: [false],
  }),
  'output_handler.redact_secrets': open(boolean, true, 'Replaces credentials in model output.', {
    values: [false],
  }),
  'output_handler.html_mode': open(
    oneOf('escape', 'allowlist'),
    'allowlist',
    'HTML in model output: keep a list of harmless tags, or escape all.',
    { values: ['allowlist'] },
  ),

  'hitl.enabled': open(
    boolean,
    false,
    'Switches Approvals on or off; needs hitl.token_secret. With modes.hitl: monitor, calls that would wait are recorded even if this is off.',
    { values: [false] },
  ),
  'hitl.destructive_tools': open(
    textList(200, 200),
    ['refund', 'delete', 'send_email'],
    'Tools whose calls need approval.',
    { entries: 'removed' },
  ),
  'hitl.fallback': open(
    oneOf('declared', 'deny', 'pass'),
    'declared',
    'Destructive calls while Approvals are off. declared: refuses those that the tool itself declares or that a policy or a configured hitl.destructive_tools names; others run and are recorded. deny: refuses all. pass: all run.',
    { values: ['declared', 'pass'] },
  ),

  'normalization.enabled': open(boolean, true, 'Normalizes text before it is matched.', { values: [false] }),
  'normalization.nfkc': open(boolean, true, 'Folds compatibility forms such as full-width letters.', {
    values: [false],
  }),
  'normalization.strip_zero_width': open(
    boolean,
    true,
    'Removes invisible, bidirectional and tag characters.',
    { values: [false] },
  ),
  'normalization.casefold': open(boolean, true, 'Folds case.', { values: [false] }),
  'normalization.decode_base64_blobs': open(boolean, true, 'Also decodes and matches base64 blobs.', {
    values: [false],
  }),
  'normalization.fold_confusables': open(boolean, true, 'Folds letters of other scripts that look alike.', {
    values: [false],
  }),
  'normalization.decode_views': open(
    choiceList(
      'hex',
      'percent',
      'entities',
      'spaced',
      'leet',
      'escapes',
      'codes',
      'joined',
      'separated',
      'swapped',
      'rot13',
      'reversed',
    ),
    ['hex', 'percent', 'entities', 'spaced', 'leet', 'escapes', 'codes', 'joined', 'separated'],
    'Additional decodings that are matched. Codes are binary, decimal and Base32; joined are words split by markup, string concatenation, hyphens or line breaks; separated are words with underscores, other marks or emoji between them; swapped is accepted and has no effect.',
    { entries: 'removed' },
  ),
  'normalization.max_prompt_length': open(
    integer(1),
    50_000,
    'Maximum length in code points; a longer text counts as not judged. While it is the default, documents and results of tools may have 1,000,000; another value holds for all origins.',
  ),

  'pattern_safety.on_match_error': open(
    oneOf('closed', 'open'),
    'closed',
    'Whether text that could not be judged is blocked.',
    { values: ['open'] },
  ),

  'tool_authorization.enabled': open(
    boolean,
    false,
    "Calls the host's tool authorizer before every tool call. With a tool authorizer the default is true.",
    { values: [false] },
  ),
  'tool_authorization.owner_key_depth': open(
    oneOf('top_level', 'recursive'),
    'recursive',
    'Depth at which owner keys are overwritten.',
    { values: ['top_level'] },
  ),
  'tool_authorization.destructive_match': open(
    oneOf('exact', 'substring'),
    'exact',
    'How tool names are compared with hitl.destructive_tools.',
    { values: ['exact'] },
  ),

  'audit_hygiene.prompt_storage': open(
    oneOf(...PROMPT_STORAGES),
    'redact',
    'How prompts are stored in the audit.',
  ),

  'retention.days': open(
    integer(0),
    365,
    'Age in days after which retention applies to audit entries. The schedule ignores 0 as a mistake.',
  ),
  'retention.strategy': open(
    oneOf('anonymize', 'purge', 'keep'),
    'anonymize',
    'Treatment of old entries by the retention schedule: erase texts and names, delete everything, or nothing.',
  ),

  'retention.minimum_days': locked(
    integer(0, 36_500),
    0,
    'Lower bound of retention.days, and of every run by age. It does not limit the erasure of one person.',
  ),

  'api.enabled': locked(boolean, false, 'Mounts the admin API.'),
  'api.prefix': locked(text(200), 'guardrails/api', 'The path prefix of all routes; must end in /api.'),
  'api.body_limit': locked(
    integer(1024, 16 * 1024 * 1024),
    256 * 1024,
    'Largest request body in bytes; PUT /settings, POST /try/policies and POST /rules/backtest take 4 MiB.',
  ),
  'api.allowed_origins': locked(
    originList,
    [],
    'Further origins whose pages may send writes and exports, such as https://admin.example.com, exactly as browsers send them. It adds no CORS header.',
  ),
  'refusals.details': locked(
    boolean,
    false,
    'Refusals of @ScreenPrompt() also have the id of their entry in the audit, as auditId.',
  ),
  'panel.enabled': locked(boolean, false, 'Serves the panel for operators. Needs api.enabled.'),
  'panel.path': locked(
    optionalText(200),
    null,
    'The path of the panel. null: <name>/panel, beside api.prefix (<name>/api).',
  ),
  'panel.auth': locked(
    oneOf('session', 'bearer'),
    'session',
    'How browsers authenticate. session: by the cookie of the host, and the panel is behind api.middleware. bearer: the page is open, has a field for a token and sends the token to the API.',
  ),
  'panel.login_url': locked(
    optionalText(500),
    null,
    'The login page of the host: a path, or an address that begins with https://. It receives return_to, a path of the panel. null: the panel explains what to do.',
  ),
  'audit.write_policy': locked(
    oneOf('by_mode', 'strict', 'buffered'),
    'by_mode',
    'strict: a decision that cannot be recorded is an error. buffered: decisions are written later, and losses are counted. by_mode: strict in enforce, buffered in monitor.',
  ),
  'audit.checkpoint_key': locked(
    secret,
    null,
    'Ed25519 key that signs checkpoints of the audit: PEM (PKCS #8), its 32 bytes in base64, or file: and a path. null: there is no transparency log.',
  ),
  'audit.checkpoint_interval': locked(
    integer(10),
    3600,
    'Seconds between two checkpoints of the audit. None is made while nothing new is recorded.',
  ),
  'audit_hygiene.hash_key': locked(secret, null, 'HMAC key for prompts under hash; at least 32 bytes.'),
  'audit_hygiene.truncate_at': locked(integer(1), 2000, 'Number of code points that truncate stores.'),
  'output_handler.allowed_hosts': locked(
    hostList,
    [],
    'Hosts that links and images in model output may point to; *.a.example permits all subdomains of a.example, and a.example/images/ only paths that begin like this. Images lose their query and fragment, unless the entry ends in ? (signed addresses: a.example/signed/?). Empty: ordinary links are kept, and foreign images are removed.',
  ),
  'output_handler.max_length': locked(
    integer(1),
    1_000_000,
    'Maximum length of an output in UTF-16 units. In a structure, all texts and names count together. A longer output is withheld; in a stream, what is not shown yet is withheld.',
  ),
  'output_handler.rendering': locked(
    oneOf(...RENDERINGS),
    'markdown',
    'How the host shows model output: markdown (a supported renderer; code stays as it is), any (unknown renderer, or inserted as HTML), text (plain text), slack (text or mrkdwn of a message), terminal.',
  ),
  'provenance.hours': locked(
    integer(1, 720),
    24,
    'Hours that is remembered what a run has read, after its last text, for policies with after or vouched.',
  ),
  'hitl.ttl': locked(
    integer(1),
    3600,
    'Seconds until a pending call expires, and until an approved call that did not run is superseded.',
  ),
  'hitl.run_timeout': locked(integer(1), 60, 'Seconds that an approved tool may run.'),
  'hitl.four_eyes': locked(boolean, false, 'Forbids requesters to approve their own calls.'),
  'hitl.token_delivery': locked(
    oneOf('list', 'out_of_band'),
    'list',
    'Whether GET /approvals shows tokens, or only the notifier receives them.',
  ),
  'retention.schedule': locked(
    oneOf('off', 'hourly', 'daily'),
    'off',
    'How often an instance applies retention to entries older than retention.days, as actor guardrails.retention. Its database role needs the rights for it.',
  ),
  'hitl.token_secret': locked(
    secret,
    null,
    'Secret for approval tokens, MACs of pending calls and encrypted tokens; at least 32 bytes, the same on every instance. Required with hitl.enabled.',
  ),
  'hitl.policies': {
    ...locked(
      toolPolicies,
      {},
      'What calls of single tools need, by their arguments: allow, approval or deny. A PUT replaces all policies, and needs hitl.policies_overridable.',
    ),
    unlockedBy: 'hitl.policies_overridable',
  },
  'hitl.policies_overridable': locked(
    boolean,
    false,
    'Permits operators to override hitl.policies with PUT /settings. One operator can then allow every call.',
  ),
  'hitl.remind_after': locked(
    integer(0),
    0,
    'Seconds after which approvers are reminded once of a call that is still pending. 0: never.',
  ),
  'hitl.escalate_after': locked(
    integer(0),
    0,
    'Seconds after which a call that is still pending is escalated once. 0: never.',
  ),
  'hitl.escalate_to': locked(
    text(200),
    'escalation',
    'The receiver of escalated calls, passed to the notifier, such as the name of a group or a channel.',
  ),
  'hitl.max_open_per_principal': locked(integer(1), 20, 'Maximum number of pending calls per principal.'),
  'events.retention': locked(
    integer(1, 3650),
    7,
    'Days that events stay in the outbox, for the live stream and for replays. Events that wait for a sink stay longer.',
  ),
  'events.stream': locked(
    oneOf('off', 'security', 'all'),
    'off',
    'Events that the live stream shows besides those that sinks select. off: none. security: severity medium and above, and every event of approvals, settings and retention. all: every event. With panel.enabled the default is security.',
  ),
  'events.max_streams': locked(
    integer(0, 1000),
    10,
    'Maximum number of live streams per instance. One actor may use a third of them.',
  ),
  'events.panel_url': locked(
    webAddress,
    null,
    'Address of the panel. Events link to it; events about an approval link to `/approvals/{approval_id}` below it.',
  ),
  'store.statement_timeout': locked(integer(1), 2, 'Seconds that a read may take in the database.'),
} as const satisfies Record<string, SettingDefinition<never> | SettingDefinition<unknown>>;

/** The dotted key of a setting, such as `modes.input_screen`. */
export type SettingKey = keyof typeof SETTINGS_SCHEMA;

type Holds<Definition> = Definition extends { readonly kind: SettingKind<infer T> } ? T : never;

/** The type of the value of one setting. */
export type SettingValue<Key extends SettingKey> = Holds<(typeof SETTINGS_SCHEMA)[Key]>;

/** A value for every setting. */
export type SettingValues = { readonly [Key in SettingKey]: SettingValue<Key> };

/** The keys of all settings, in the order of the reference. */
export const SETTING_KEYS = Object.keys(SETTINGS_SCHEMA) as readonly SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS_SCHEMA, key);
}

/** Returns the definition of a setting. */
export function definitionOf(key: SettingKey): SettingDefinition<unknown> {
  return SETTINGS_SCHEMA[key];
}

/** Locked settings that this configuration unlocks. */
export function unlockedKeys(values: Readonly<Record<string, unknown>>): ReadonlySet<SettingKey> {
  return new Set(
    SETTING_KEYS.filter((key) => {
      const { unlockedBy } = definitionOf(key);
      return unlockedBy !== undefined && values[unlockedBy] === true;
    }),
  );
}

/** `modes.input_screen` → `GUARDRAILS_MODES_INPUT_SCREEN`. */
export function environmentName(key: SettingKey): string {
  return `GUARDRAILS_${key.replaceAll('.', '_').toUpperCase()}`;
}

/**
 * The default of every setting. The package does not load where a default is invalid, or is not in the form in
 * which its kind stores it.
 *
 * @throws ConfigurationError that names each such setting.
 */
export function defaultsOf(
  schema: Readonly<Record<string, SettingDefinition<unknown>>>,
): Readonly<Record<string, unknown>> {
  const reasons = Object.entries(schema).flatMap(([key, { kind, default: value }]) => {
    const parsed = kind.parse(value);
    if (!parsed.ok) return [`the default of ${key} ${parsed.reasons.join('; ')}`];
    const isKept = JSON.stringify(parsed.value) === JSON.stringify(value);
    return isKept ? [] : [`the default of ${key} is not in canonical form: ${JSON.stringify(parsed.value)}`];
  });
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return Object.freeze(
    Object.fromEntries(Object.entries(schema).map(([key, { default: value }]) => [key, value])),
  );
}
