import type { Span } from '#contracts/text.js';
import { BuiltInDetector, looksRandom, PatternDetector, Runs, TokenDetector } from './pattern-detector.js';

/** Name, hints and pattern, ordered by name. Publishable keys are public, so they are not in the list. */
const TOKENS: readonly (readonly [name: string, hints: readonly string[], token: string])[] = [
  ['age_key', ['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}'],
  ['atlassian_token', ['ATATT3', 'ATBB'], '(?:ATATT3[A-Za-z0-9_=-]{40,300}|ATBB[A-Za-z0-9]{24,64})'],
  [
    'aws_access_key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'AROA', 'AIDA'],
    '(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}',
  ],
  ['azure_client_secret', ['8Q~'], '[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}'],
  [
    'braintree_token',
    ['access_token$'],
    String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`,
  ],
  ['databricks_token', ['dapi'], 'dapi[0-9a-f]{32}(?:-[0-9])?'],
  ['digitalocean_token', ['_v1_'], 'do[por]_v1_[0-9a-f]{64}'],
  [
    'discord_token',
    ['M', 'N', 'O'],
    String.raw`[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}`,
  ],
  [
    'discord_webhook',
    ['/api/webhooks/'],
    String.raw`https:\/\/(?:[a-z]{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[A-Za-z0-9_-]{40,100}`,
  ],
  ['docker_token', ['dckr_pat_'], 'dckr_pat_[A-Za-z0-9_-]{24,64}'],
  [
    'doppler_token',
    ['dp.'],
    String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  ],
  ['figma_token', ['figd_'], 'figd_[A-Za-z0-9_-]{30,64}'],
  [
    'github_token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})',
  ],
  ['gitlab_token', ['gl'], 'gl(?:pat|rt|dt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{20,120}'],
  ['google_api_key', ['AIza'], 'AIza[A-Za-z0-9_-]{35}'],
  [
    'google_oauth',
    ['GOCSPX-', 'ya29.', '1//0'],
    String.raw`(?:GOCSPX-[A-Za-z0-9_-]{24,40}|ya29\.[A-Za-z0-9_-]{20,400}|(?<!/)1//0[A-Za-z0-9_-]{30,250})`,
  ],
  ['grafana_token', ['glsa_', 'glc_'], '(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,400})'],
  ['heroku_key', ['HRKU-'], 'HRKU-[A-Za-z0-9_-]{36,80}'],
  ['hugging_face_token', ['hf_'], 'hf_[A-Za-z]{34,40}'],
  [
    'langsmith_key',
    ['lsv2_', 'ls__'],
    '(?:lsv2_(?:pt|sk)_[0-9A-Za-z]{32}(?:_[0-9A-Za-z]{6,16})?|ls__[0-9a-f]{32})',
  ],
  ['linear_key', ['lin_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'],
  ['mailchimp_key', ['-us'], '[0-9a-f]{32}-us[0-9]{1,2}'],
  ['mailgun_key', ['key-'], 'key-[0-9a-z]{32}'],
  [
    'model_api_key',
    ['gsk_', 'xai-', 'r8_', 'pplx-'],
    '(?:gsk_[A-Za-z0-9]{40,80}|xai-[A-Za-z0-9]{60,100}|r8_[A-Za-z0-9]{37,40}|pplx-[A-Za-z0-9]{40,64})',
  ],
  ['new_relic_key', ['NRAK-'], 'NRAK-[A-Z0-9]{27}'],
  ['notion_token', ['ntn_', 'secret_'], '(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})'],
  ['npm_token', ['npm_'], 'npm_[A-Za-z0-9]{36}'],
  ['planetscale_token', ['pscale_'], 'pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,64}'],
  ['postman_key', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['pypi_token', ['pypi-AgE'], 'pypi-AgE[A-Za-z0-9_-]{50,1000}'],
  ['rubygems_key', ['rubygems_'], 'rubygems_[0-9a-f]{48}'],
  ['sendgrid_key', ['SG.'], String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`],
  ['sentry_token', ['sntrys_', 'sntryu_'], '(?:sntrys_[A-Za-z0-9+/=_-]{40,400}|sntryu_[0-9a-f]{64})'],
  ['shopify_token', ['shp'], 'shp(?:at|ss|ca|pa)_[0-9a-f]{32}'],
  [
    'slack_token',
    ['xox', 'xapp-', 'hooks.slack.com'],
    String.raw`(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{10,250}|https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,80})`,
  ],
  ['square_token', ['sq0', 'EAAA'], '(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60,62})'],
  ['stripe_key', ['k_live_', 'k_test_', 'whsec_'], '(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,250}'],
  ['supabase_token', ['sbp_'], 'sbp_[0-9a-f]{40}'],
  ['telegram_token', [':AA'], String.raw`(?:(?<=\bbot)|(?<![A-Za-z0-9]))\d{8,10}:AA[A-Za-z0-9_-]{33}`],
  ['terraform_token', ['.atlasv1.'], String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}`],
  ['twilio_key', ['SK'], 'SK[0-9a-f]{32}'],
  ['vault_token', ['hvs.', 'hvb.', 'hvr.'], String.raw`hv[sbr]\.[A-Za-z0-9_-]{24,300}`],
];

/** Tokens that can contain other characters than letters, digits, hyphens and underscores everywhere. */
const WITHOUT_LONG_RUN = new Set([
  'azure_client_secret',
  'gitlab_token',
  'grafana_token',
  'planetscale_token',
  'sentry_token',
  'slack_token',
]);

export const vendorTokenDetectors = TOKENS.map(
  ([name, hints, token]) =>
    new PatternDetector(name, 'secret_redaction', new RegExp(`${beginsAt(token)}${token}(?![A-Za-z0-9])`), {
      hints,
      requires: WITHOUT_LONG_RUN.has(name) ? 'value' : 'long_run',
    }),
);

/** Tokens of Vault before 1.10: service tokens, and batch tokens. */
export const legacyVaultTokenDetector = new PatternDetector(
  'vault_token',
  'secret_redaction',
  /(?<![\w.$)\]-])(?:s\.[A-Za-z0-9]{24}|b\.AAAAAQ[A-Za-z0-9_-]{80,300})(?![\w(]|\.\w)/,
  {
    requires: 'long_run',
    hints: ['s.', 'b.'],
    needs: (text) => /\b[sb]\.[A-Za-z0-9]{24}/.test(text),
    accepts: (found) => /[A-Z]/.test(found) && looksRandom(found.slice(2)),
  },
);

/** Macaroons of Fly, one or more separated by commas, of any length. */
export const flyTokenDetector = new TokenDetector(
  'fly_token',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_-]{20,}(?:,fm[12][ar]?_[A-Za-z0-9+/=_-]{20,})*|fo1_[A-Za-z0-9_-]{40,})/,
  /[A-Za-z0-9+/=_,-]*/,
  ['fm1', 'fm2', 'fo1_'],
);

const MODEL_KEY_PREFIX = /(?<![A-Za-z0-9])sk-/g;
const MODEL_KEY_CHARACTERS = /[A-Za-z0-9_-]+/y;
const MIN_MODEL_KEY = 20;
const MAX_MODEL_KEY = 250;

/** Keys of providers of language models that begin with `sk-` only. */
class ModelKeyDetector extends BuiltInDetector {
  override readonly name = 'model_api_key';
  override readonly kind = 'secret_redaction';
  override readonly requires = 'long_run';
  override readonly hints = ['sk-'];

  override find(text: string): readonly Span[] {
    const spans: Span[] = [];
    const runs = new Runs(text, MODEL_KEY_CHARACTERS);
    MODEL_KEY_PREFIX.lastIndex = 0;
    while (MODEL_KEY_PREFIX.test(text)) {
      const keyStart = MODEL_KEY_PREFIX.lastIndex;
      const end = Math.min(runs.endOf(keyStart), keyStart + MAX_MODEL_KEY);
      if (end - keyStart < MIN_MODEL_KEY || !runs.hasDigit(keyStart, end)) continue;
      const start = keyStart - 'sk-'.length;
      if (!looksRandom(text.slice(start, end))) continue;
      spans.push([start, end]);
      MODEL_KEY_PREFIX.lastIndex = end;
    }
    return spans;
  }
}

export const modelKeyDetector: BuiltInDetector = new ModelKeyDetector();

/** The signature of a shared access link. */
export const sharedAccessDetector = new PatternDetector(
  'azure_shared_access',
  'secret_redaction',
  /[?&]sig=(?<value>[A-Za-z0-9%+/=]{40,120})/,
  { requires: 'value', hints: ['sig='] },
);

/** A pattern that begins with a lookbehind has its own border. */
function beginsAt(token: string): string {
  return token.startsWith('(?:(?<=') ? '' : '(?<![A-Za-z0-9])';
}
