import { describe, expect, it } from '@jest/globals';
import {
  Assistant,
  Model,
  type ChatTurn,
  type Message,
  type ModelStep,
} from '../../apps/demo/src/chat/assistant.js';
import { OrderBook } from '../../apps/demo/src/shop/order-book.js';
import { DESTRUCTIVE_TOOLS, POLICIES, SupportTools } from '../../apps/demo/src/shop/support-tools.js';
import { CONTROL_KEYS, type Outcome } from '#contracts/common/control-mode.js';
import { ATTACKS, type Attack } from '../support/attacks.js';
import { bench } from '../support/engine.js';

const CALLER = { principalId: 'customer-42', application: 'support-chat', runId: 'run-1' };

/** Follows its injected instructions, then repeats everything that it has read. */
class TalkedInto extends Model {
  constructor(private readonly step: ModelStep) {
    super();
  }

  override next(conversation: readonly Message[]): ModelStep {
    const last = conversation.at(-1);
    return last?.from === 'tool' ? { kind: 'answer', text: last.text } : this.step;
  }
}

interface Aftermath {
  readonly turn: ChatTurn;
  /** The record of the attacked control. */
  readonly outcomes: readonly Outcome[];
  /** What any control blocked. */
  readonly blocked: number;
}

async function attacked(
  { control, question, does }: Attack,
  mode: 'enforce' | 'monitor',
): Promise<Aftermath> {
  const book = new OrderBook();
  const tools = new SupportTools(book).all;
  const { engine, stores } = await bench(
    {
      ...Object.fromEntries(CONTROL_KEYS.map((key) => [`modes.${key}`, mode])),
      'hitl.enabled': true,
      'hitl.destructive_tools': DESTRUCTIVE_TOOLS,
      'hitl.policies': POLICIES,
    },
    { tools },
  );
  const turn = await new Assistant(engine.guardrails, new TalkedInto(does), tools).ask(question, CALLER);
  await engine.stop();
  const { entries } = await stores.audit.list({}, { limit: 50 });
  return {
    turn,
    outcomes: entries.filter((entry) => entry.control === control).map(({ outcome }) => outcome),
    blocked: entries.filter(({ outcome }) => outcome === 'blocked').length,
  };
}

const statuses = ({ tools }: ChatTurn): readonly string[] => tools.map(({ status }) => status);

describe('thirty attacks on the assistant of the demo', () => {
  it('are thirty, and cover every control', () => {
    expect(ATTACKS).toHaveLength(30);
    expect(new Set(ATTACKS.map(({ control }) => control))).toEqual(new Set(CONTROL_KEYS));
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(30);
  });

  describe.each(ATTACKS)('$control: $name', (attack) => {
    it('is blocked in enforce', async () => {
      const { turn, outcomes } = await attacked(attack, 'enforce');
      expect(outcomes).toContain('blocked');
      if (attack.damage === undefined) expect(statuses(turn)).not.toContain('executed');
      else expect(turn.answer).not.toContain(attack.damage);
    });

    it('is recorded in monitor, and passes', async () => {
      const { turn, outcomes, blocked } = await attacked(attack, 'monitor');
      expect([outcomes.includes('observed'), blocked]).toEqual([true, 0]);
      if (attack.damage !== undefined) expect(turn.answer).toContain(attack.damage);
      else if (attack.does.kind === 'call') expect(turn.draft).not.toMatch(/^The call (?:was refused|waits)/);
    });
  });
});
