import { typeormStores } from 'nest-guardrails/typeorm';
import { fill } from './test/bench/stores/fill.mjs';
import * as testing from 'nest-guardrails/testing';
const [, , url, what, arg] = process.argv;
const stores = () => typeormStores({ url, statementTimeoutMs: 60000 });
const t0 = performance.now();
if (what === 'fill') { await fill({ url }, Number(arg), () => undefined); console.log(JSON.stringify({ what })); }
if (what === 'purge' || what==='anonymize') {
  const s = stores(); await s.open();
  const limit = Number(arg);
  let run = await s.retention.begin({ strategy: what, scope: { kind: 'before', before: new Date(Date.now() - 200 * 86400e3) }, actorId: 'ops-1' }, 60000);
  const start = performance.now(); let steps = 0;
  for (;;) { const step = await s.retention.proceed(run, limit, 60000); run = step.run; steps++; if (step.done) break; }
  const seconds = (performance.now() - start) / 1000;
  const done = await s.retention.finish(run);
  console.log(JSON.stringify({ what, limit, steps, seconds: +seconds.toFixed(2), counts: done.counts }));
  await s.close();
}
if (what === 'append') {
  const s = stores(); await s.open();
  const callers = Number(arg); let n = 0; const stop = performance.now() + 4000;
  const d = () => testing.decision({ occurredAt: new Date(), principalId: `customer-${n % 500}`, ruleId: n % 20 === 0 ? 'leak' : null });
  for (let i = 0; i < 300; i++) await s.audit.append(d());
  const begun = performance.now(); n = 0;
  await Promise.all(Array.from({ length: callers }, async () => { while (performance.now() < stop) { await s.audit.append(d()); n++; } }));
  console.log(JSON.stringify({ what, callers, perSecond: Math.round(n / ((performance.now() - begun) / 1000)) }));
  await s.close();
}
if (what === 'read') {
  const s = stores(); await s.open();
  const time = async (f) => { const ts = []; for (let i = 0; i < 150; i++) { const b = performance.now(); await f(); ts.push(performance.now() - b); } ts.sort((a, b) => a - b); return +ts[75].toFixed(2); };
  const out = {};
  out.page = await time(() => s.audit.list({}, { limit: 50 }));
  out.rule = await time(() => s.audit.list({ ruleId: 'leak' }, { limit: 50 }));
  out.find = await time(() => s.audit.find(150000));
  out.trend = await time(() => s.audit.trend({}, { from: new Date(Date.now() - 300 * 86400e3), to: new Date() }));
  out.overview = await time(() => s.overview.activity(new Date()));
  console.log(JSON.stringify({ what, ...out }));
  await s.close();
}
