/** Configured values that differ from the defaults, to distinguish both after an override is removed. */
export const FILE = { 'retention.days': 90, 'input_screen.refusal_message': 'Not here.' };

export const BOOLEANS = [
  'tool_firewall.enabled',
  'input_screen.enabled',
  'output_handler.enabled',
  'hitl.enabled',
  'tool_firewall.reject_unknown_arguments',
  'output_handler.sanitize_html',
  'output_handler.neutralize_markdown',
  'output_handler.redact_pii',
  'output_handler.redact_secrets',
  'normalization.enabled',
  'normalization.nfkc',
  'normalization.strip_zero_width',
  'normalization.casefold',
  'normalization.decode_base64_blobs',
  'normalization.fold_confusables',
  'tool_authorization.enabled',
];
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'modes.tool_firewall': ['enforce', 'monitor', 'off'],
  'modes.input_screen': ['enforce', 'monitor', 'off'],
  'modes.output_handler': ['enforce', 'monitor', 'off'],
  'modes.hitl': ['enforce', 'monitor', 'off'],
  'output_handler.html_mode': ['escape', 'allowlist'],
  'hitl.fallback': ['deny', 'pass'],
  'pattern_safety.on_match_error': ['closed', 'open'],
  'tool_authorization.owner_key_depth': ['recursive', 'top_level'],
  'tool_authorization.destructive_match': ['exact', 'substring'],
  'audit_hygiene.prompt_storage': ['redact', 'truncate', 'raw'],
  'retention.strategy': ['anonymize', 'purge', 'keep'],
};
export const INTEGERS: Readonly<Record<string, number>> = {
  'normalization.max_prompt_length': 1,
  'retention.days': 0,
};
export const LISTS = ['tool_firewall.owner_keys', 'hitl.destructive_tools'];
export const VIEWS = [
  'hex',
  'percent',
  'entities',
  'spaced',
  'leet',
  'escapes',
  'codes',
  'joined',
  'separated',
  'rot13',
  'reversed',
];

/** Key → a valid value that is not in force without an override. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    BOOLEANS.map((key) => [key, ['hitl.enabled', 'tool_authorization.enabled'].includes(key)]),
  ),
  ...Object.fromEntries(Object.entries(CHOICES).map(([key, choices]) => [key, choices[1]])),
  ...Object.fromEntries(Object.keys(INTEGERS).map((key) => [key, 12])),
  ...Object.fromEntries(LISTS.map((key) => [key, ['z_last', 'a first']])),
  'normalization.decode_views': ['reversed', 'hex'],
  'input_screen.refusal_message': 'Non.\u00e9 \ud83d\ude00 "quoted" \\ % _',
  'input_screen.patterns': { zebra: '/zebra/i' },
  'input_screen.rule_modes': { zebra: 'monitor' },
  'input_screen.profile': 'strict',
  'input_screen.origin_modes': { document: 'monitor', tool_result: 'off' },
  'input_screen.screen_tool_results': false,
  'input_screen.exceptions': [
    {
      rule_id: 'zebra',
      phrase: 'a zebra crossing',
      application: 'maps',
      reason: 'A kind of crossing.',
      ends_at: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),
    },
  ],
};

export const LOCKED = [
  'enabled',
  'api.enabled',
  'api.prefix',
  'api.body_limit',
  'panel.enabled',
  'panel.path',
  'panel.auth',
  'panel.login_url',
  'audit.write_policy',
  'audit.checkpoint_key',
  'audit.checkpoint_interval',
  'audit_hygiene.hash_key',
  'audit_hygiene.truncate_at',
  'hitl.ttl',
  'hitl.run_timeout',
  'hitl.four_eyes',
  'hitl.token_delivery',
  'hitl.token_secret',
  'hitl.policies',
  'hitl.policies_overridable',
  'hitl.escalate_after',
  'hitl.escalate_to',
  'hitl.max_open_per_principal',
  'hitl.remind_after',
  'output_handler.allowed_hosts',
  'output_handler.rendering',
  'retention.minimum_days',
  'retention.schedule',
  'events.retention',
  'events.stream',
  'events.max_streams',
  'events.panel_url',
  'store.statement_timeout',
];
