import { describe, expect } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { GuardrailsError } from '#contracts/common/errors.js';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import { valueOf, type SettingsBench } from './settings-bench.js';

export function describeEffect({ bench, published, show, put, change, log }: SettingsBench): void {
  const { it, itOnEachStore } = bench;

  describe('contract 6.2: an effective PUT', () => {
    it('leaves one record for each change, and one SettingsChanged on the host’s emitter', async () => {
      const { revision } = await show();
      const call = { as: 'second-operator', headers: { 'x-request-id': 'req-77' } };
      const { changed } = await change(
        { 'input_screen.patterns': { b: 'beta', a: 'alpha' }, 'retention.days': 7, 'modes.hitl': 'enforce' },
        call,
      );
      const changes = [
        { key: 'input_screen.patterns.a', before: null, after: '/alpha/i' },
        { key: 'input_screen.patterns.b', before: null, after: '/beta/i' },
        { key: 'retention.days', before: 90, after: 7 },
      ];
      expect(changed).toEqual(changes.map(({ key }) => key));
      expect(published).toHaveLength(1);
      const [event] = published;
      expect(event).toBeInstanceOf(SettingsChanged);
      expect(event).toMatchObject({
        name: 'guardrails.settings.changed',
        id: expect.stringMatching(/\S/),
        actorId: 'ops-2',
        revision: revision + 1,
        changes,
        requestId: 'req-77',
        occurredAt: expect.any(Date),
      });
      const records = (await log('?limit=3')).toReversed();
      expect(records.map(({ key, old_value, new_value }) => [key, old_value, new_value])).toEqual(
        changes.map(({ key, before, after }) => [key, before, after]),
      );
      for (const record of records) {
        expect(record).toMatchObject({
          actor_id: 'ops-2',
          request_id: 'req-77',
          occurred_at: event?.occurredAt.toISOString(),
        });
      }
    });

    itOnEachStore('is committed and in force before it is published', async () => {
      const emitter = bench.host.application.get(EventEmitter2, { strict: false });
      const seen = new Promise<unknown>((resolve) => {
        emitter.once(SettingsChanged.eventName, ({ revision }: SettingsChanged) => {
          resolve(show().then((now) => [now.revision === revision, valueOf(now, 'retention.days')]));
        });
      });
      await change({ 'retention.days': 6 });
      expect(await seen).toEqual([true, 6]);
    });

    it('contract 6.2, 2.3: changes and publishes nothing if the store fails', async () => {
      const before = await show();
      for (const [failure, status, code] of [
        [
          GuardrailsError.storeUnavailable(new Error('connect ECONNREFUSED 10.0.0.7')),
          503,
          'store_unavailable',
        ],
        [new Error('relation "guardrails_settings" does not exist'), 500, 'internal'],
      ] as const) {
        const answer = await bench.stores.failingWith(failure, () => put({ 'retention.days': 4 }));
        expect([answer.status, answer.body.data.error.code]).toEqual([status, code]);
        expect(answer.text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|relation|guardrails_settings/);
        expect(answer.headers['retry-after']).toEqual(
          status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : undefined,
        );
      }
      expect(await show()).toEqual(before);
      expect(published).toEqual([]);
    });

    it('reaches each control at once', async () => {
      await change({ 'modes.output_handler': 'off', 'output_handler.redact_pii': false });
      expect(await bench.host.guardrails.sanitize('<b>mail me: someone@example.com</b>')).toMatchObject({
        found: false,
      });
      await change({ 'modes.output_handler': 'monitor' });
      expect(await bench.host.guardrails.sanitize('<div>x</div>')).toMatchObject({
        outcome: 'observed',
        text: '<div>x</div>',
      });
      await change({ 'modes.output_handler': null });
      expect(await bench.host.guardrails.sanitize('<div>x</div>')).toMatchObject({ outcome: 'blocked' });
      expect((await bench.api.get('/overview')).body.data).toMatchObject({
        controls: [
          {},
          { posture: 'Engaged' },
          { posture: 'Engaged' },
          { posture: 'Disabled', enabled: false },
        ],
      });
    });
  });
}
