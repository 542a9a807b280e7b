import type { Query, RulesBacktestData } from '#client/index.js';
import { BACKTEST_CONTROLS } from '#contracts/common/control-mode.js';
import type { BacktestChangesData } from '#contracts/screening/rules.api.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, UsageError, type Command, type ParsedOptions } from '../shared/command.js';
import { ProgressBar } from '../shared/terminal.js';
import { jsonObject, jsonObjectFile, printable } from '../shared/text-input.js';

type RuleChanges = BacktestChangesData['rules'][number];

const MAX_SAMPLES = 20;
const SHOWN_SAMPLES = 3;

export const backtestCommand: Command = {
  name: 'rules backtest',
  summary:
    'Judges recorded texts with candidate rules, and prints which texts would newly be blocked, and which would pass again.',
  positionals: ['candidate'],
  details: [
    'The candidate is a JSON file with overrides as for PUT /settings, such as { "input_screen.patterns": { "refund_all": "/refund all/i" } }. A list or map replaces the whole value in force. Nothing is stored.',
    'Only texts that are stored exactly as they were judged can be judged again. The others are counted by reason. Screeners of the host are not run.',
    'For outputs it prints the new findings, by detector.',
  ],
  options: {
    ...API_OPTIONS,
    candidate: { value: 'FILE', help: 'The overrides to try, as JSON.' },
    control: {
      value: BACKTEST_CONTROLS.join('|'),
      help: 'Whose texts are judged. Default: input_screen.',
    },
    from: { value: 'DATE', help: 'Judges texts from this date or time on. Default: all.' },
    to: { value: 'DATE', help: 'Judges texts up to this date or time, inclusive. Default: all.' },
    filters: {
      value: 'JSON',
      help: 'Filters of GET /audit as a JSON object, such as {"application":"support-chat"}.',
    },
    'max-new-blocks': {
      value: 'NUMBER|PERCENT%',
      help: 'Exits with 1 if more texts, or a larger share of the judged texts, would newly be blocked, or if no text could be judged.',
    },
    json: { help: 'Prints the figures of all slices together, with up to 20 samples per rule, as JSON.' },
  },
  examples: ['nest-guardrails rules backtest rules.json --max-new-blocks 0'],
  exits: [
    'The backtest is complete, and --max-new-blocks is not exceeded.',
    '--max-new-blocks is exceeded, or no text could be judged.',
    'A request failed.',
  ],

  async run(session) {
    const { options, terminal } = session;
    const limit = limitOf(options);
    const request = await requestOf(options);
    const client = apiClient(session);
    const total = terminal.isInteractive
      ? (await client.call('audit.trend', { query: progressQuery(request) })).data.points.reduce(
          (sum, point) => sum + point.total,
          0,
        )
      : 0;
    const bar = new ProgressBar(terminal, 'judging');
    const sums = new BacktestSums();
    try {
      for await (const slice of client.pages('rules.backtest', { body: request })) {
        sums.add(slice);
        bar.show(sums.scanned, total);
      }
    } finally {
      bar.end();
    }
    const isExceeded = limit !== null && sums.exceeds(limit);
    printResult(session, sums.data(), sums.lines());
    if (isExceeded)
      terminal.printError(
        sums.judged === 0
          ? 'No text could be judged, so --max-new-blocks cannot be checked.'
          : `${sums.newlyBlocked.count} newly blocked texts exceed --max-new-blocks ${options.text('max-new-blocks')}.`,
      );
    return isExceeded ? 1 : 0;
  },
};

interface Limit {
  readonly value: number;
  readonly isShare: boolean;
}

function limitOf(options: ParsedOptions): Limit | null {
  const text = options.text('max-new-blocks');
  if (text === null) return null;
  const { number, percent } = /^(?<number>\d{1,15}(?:\.\d{1,6})?)(?<percent>%?)$/.exec(text)?.groups ?? {};
  const value = Number(number);
  const isShare = percent === '%';
  if (number === undefined || (isShare ? value > 100 : !Number.isInteger(value)))
    throw new UsageError('--max-new-blocks must be a whole number, or a percentage such as 0.1%.');
  return { value, isShare };
}

interface Request {
  readonly candidate: Readonly<Record<string, unknown>>;
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: Readonly<Record<string, unknown>>;
}

async function requestOf(options: ParsedOptions): Promise<Request> {
  const file = options.required('candidate');
  const control = options.text('control');
  const filters = jsonObject('--filters', options.text('filters') ?? '{}');
  return {
    candidate: await jsonObjectFile('candidate', file),
    from: options.text('from'),
    to: options.text('to'),
    filters: control === null ? filters : { ...filters, control },
  };
}

/** Counts about the texts of the backtest: the trend has fewer filters, and covers at most 366 days. */
function progressQuery({ filters, from, to }: Request): Query {
  const start = from ?? new Date(Date.now() - 365 * 86_400_000).toISOString();
  return { ...(filters as Query), from: start, to };
}

class BacktestSums {
  scanned = 0;
  private readonly unjudgeable = new Map<string, number>();
  readonly newlyBlocked = new ChangeSums();
  readonly noLongerBlocked = new ChangeSums();

  add(slice: RulesBacktestData): void {
    this.scanned += slice.scanned;
    for (const [reason, count] of Object.entries(slice.unjudgeable))
      this.unjudgeable.set(reason, (this.unjudgeable.get(reason) ?? 0) + count);
    this.newlyBlocked.add(slice.newly_blocked);
    this.noLongerBlocked.add(slice.no_longer_blocked);
  }

  get judged(): number {
    return [...this.unjudgeable.values()].reduce((rest, count) => rest - count, this.scanned);
  }

  exceeds({ value, isShare }: Limit): boolean {
    if (this.judged === 0) return true;
    const { count } = this.newlyBlocked;
    return isShare ? count * 100 > value * this.judged : count > value;
  }

  data(): object {
    return {
      scanned: this.scanned,
      unjudgeable: Object.fromEntries(this.unjudgeable),
      newly_blocked: this.newlyBlocked.data(),
      no_longer_blocked: this.noLongerBlocked.data(),
    };
  }

  lines(): string {
    const reasons = [...this.unjudgeable].filter(([, count]) => count > 0);
    return [
      `${this.scanned} texts were scanned, and ${this.judged} of them judged.`,
      ...reasons.map(([reason, count]) => `  not judged, ${reason.replaceAll('_', ' ')}: ${count}`),
      ...this.newlyBlocked.lines('newly blocked', this.judged),
      ...this.noLongerBlocked.lines('no longer blocked', this.judged),
    ].join('\n');
  }
}

class ChangeSums {
  count = 0;
  private readonly rules = new Map<string | null, RuleChanges>();

  add({ count, rules }: BacktestChangesData): void {
    this.count += count;
    for (const rule of rules) {
      const earlier = this.rules.get(rule.rule_id);
      const samples = [...(earlier?.samples ?? []), ...rule.samples].slice(0, MAX_SAMPLES);
      this.rules.set(rule.rule_id, { ...rule, count: (earlier?.count ?? 0) + rule.count, samples });
    }
  }

  data(): BacktestChangesData {
    const rules = [...this.rules.values()].toSorted(({ count: one }, { count: other }) => other - one);
    return { count: this.count, rules };
  }

  lines(label: string, judged: number): readonly string[] {
    const share = judged === 0 ? '' : ` (${Number(((100 * this.count) / judged).toPrecision(3))} %)`;
    return [
      `${label}: ${this.count}${share}`,
      ...this.data().rules.flatMap(({ rule_id: ruleId, count, samples }) => [
        `  ${ruleId ?? 'could not be judged'}: ${count}`,
        ...samples
          .slice(0, SHOWN_SAMPLES)
          .map(({ audit_id: id, prompt_preview: preview }) => `    entry ${id}: ${printable(preview)}`),
      ]),
    ];
  }
}
