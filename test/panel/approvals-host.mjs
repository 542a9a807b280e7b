import { randomUUID } from 'node:crypto';
import { ApprovalNotifier, ApproverGroups, Clock } from '../../dist/libs/contracts/src/index.js';
import { settled } from './stage.mjs';
import { withHost } from './hosts.mjs';

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

/** A clock that a case can put forward. */
class MovedClock extends Clock {
  aheadMs = 0;

  now() {
    return new Date(Date.now() + this.aheadMs);
  }
}

class Finance extends ApproverGroups {
  isMember(actor, group) {
    return group === 'finance' && actor === 'ops-1';
  }
}

/** Keeps the tokens that a notifier would send. */
class Pager extends ApprovalNotifier {
  tokens = new Map();
  waiting = new Map();

  notify({ approvalId, token }) {
    this.tokens.set(approvalId, token);
    this.waiting.get(approvalId)?.(token);
  }

  tokenOf(id) {
    return this.tokens.get(id) ?? new Promise((resolve) => this.waiting.set(id, resolve));
  }
}

const anyCall = { when: {}, require: 'approval' };

/** Starts a host with tools that wait for approval, whose users are the cookie `user`, and gives it to `work`. */
export async function withApprovals(stage, work, { settings = {}, tools = {}, ...options } = {}) {
  const clock = new MovedClock();
  const pager = new Pager();
  const runs = [];
  const refund = ({ amount }) => `Paid ${amount} euros back.`;
  const executes = { refund, transfer: refund, grouped: refund, ...tools };
  const registered = Object.entries(executes).map(([name, execute]) => ({
    name,
    description: name,
    parameters: { type: 'object', additionalProperties: true },
    execute(given, run) {
      runs.push(given);
      return execute(given, run);
    },
  }));
  const authenticate = (request, response, next) => {
    const id = /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (id === undefined) return response.status(401).json({});
    request.user = { id };
    return next();
  };
  await withHost(
    {
      api: { enabled: true, middleware: [authenticate] },
      panel: { enabled: true },
      ...options,
      tools: registered,
      clock,
      controls: { approverGroups: new Finance(), approvalNotifier: pager },
      settings: {
        'hitl.enabled': true,
        'hitl.four_eyes': true,
        'hitl.ttl': 3600,
        'hitl.destructive_tools': Object.keys(executes),
        'hitl.policies': {
          transfer: { rules: [{ ...anyCall, approvers: 2, reason: 'required' }], limits: [] },
          grouped: { rules: [{ ...anyCall, group: 'finance' }], limits: [] },
        },
        ...settings,
      },
    },
    (host) => work(new ApprovalsHost(stage, host, { clock, pager, runs, registered })),
  );
}

class ApprovalsHost {
  constructor(stage, { url, guardrails }, { clock, pager, runs, registered }) {
    Object.assign(this, { stage, url, guardrails, clock, pager, runs, registered });
  }

  /** Lets a model ask for a call, and returns the id of its approval. */
  async park(tool, args, { principal = 'customer-42', prompt, read } = {}) {
    const caller = { principalId: principal, application: 'support', runId: randomUUID(), stepName: '1' };
    if (prompt !== undefined) await this.guardrails.screen(prompt, caller);
    if (read !== undefined) await this.guardrails.read(read, { ...caller, origin: 'document' });
    const registered = this.registered.find(({ name }) => name === tool);
    const outcome = await this.guardrails.guardTool(registered, caller).execute(args);
    if (outcome.parked === undefined) throw new Error(`The call does not wait: ${JSON.stringify(outcome)}`);
    return outcome.parked.approvalId;
  }

  /** A browser of `user`, on the page of an approval. */
  async open(user, id, options) {
    return this.show(await this.browse(user, options), `/approvals/${id}`);
  }

  async browse(user, { isPhone = false, ...options } = {}) {
    const page = await this.stage.browse(null, {
      baseURL: this.url,
      ...(isPhone && PHONE),
      ...options,
    });
    await page.context().addCookies([{ name: 'user', value: user, url: this.url }]);
    return page;
  }

  async show(page, path) {
    await page.goto(`/guardrails/panel${path}`);
    await settled(page);
    return page;
  }

  async api(user, method, path, body) {
    const response = await fetch(`${this.url}/guardrails/api${path}`, {
      method,
      headers: {
        cookie: `user=${user}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()).data;
  }

  async stored(id) {
    return (await this.api('ops-4', 'GET', `/approvals/${id}`)).approval;
  }

  /** Decides as another operator would, from another client. */
  async decide(user, id, verb, reason = 'decided elsewhere') {
    const { pending } = await this.api(user, 'GET', '/approvals');
    const { token } = pending.find(({ approval_id: each }) => each === id);
    return this.api(user, 'POST', `/approvals/${token}/${verb}`, { reason });
  }
}

/** Opens the confirmation and presses a second time. A rejection is sent at once, without its ten seconds. */
export async function press(page, verb, reason) {
  if (verb === 'Reject') await page.clock.install();
  await page.getByRole('button', { name: `${verb}…` }).click();
  if (reason !== undefined)
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill(reason);
  await confirm(page);
  if (verb === 'Reject') await sendNow(page);
}

/** Ends the ten seconds in which a rejection can be taken back. */
export async function sendNow(page) {
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.clock.fastForward(10_000);
}

export function confirm(page) {
  return page.locator('dialog [type=submit]').click();
}

/** Waits for a sentence on the page. */
export function see(page, text) {
  return page.getByText(text).first().waitFor();
}
