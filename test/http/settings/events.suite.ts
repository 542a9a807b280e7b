import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import { TestHost, type HostSetup } from '../support/host.js';

@Injectable()
class Listener {
  readonly received: SettingsChanged[] = [];

  @OnEvent(SettingsChanged.eventName)
  hear(event: SettingsChanged): void {
    this.received.push(event);
  }
}

let host: TestHost;

const start = async (setup: HostSetup): Promise<EventEmitter2> => {
  host = await TestHost.start({ ...setup, host: { providers: [Listener] } });
  return host.application.get(EventEmitter2, { strict: false });
};

describe('contract 6.2: an effective PUT', () => {
  afterEach(() => host.stop());

  it.each([
    ['which the host has', {}],
    ['which the host does not have', { withoutEmitter: true }],
  ])('is published once on the EventEmitter2 %s', async (_, setup) => {
    const received: unknown[] = [];
    (await start(setup)).on(SettingsChanged.eventName, (event) => received.push(event));
    const change = { settings: { 'hitl.enabled': true, 'modes.hitl': 'monitor' } };
    await host.put('/settings', change, { headers: { 'x-request-id': 'put-1' } });
    await host.put('/settings', change);
    await host.put('/settings', { settings: { 'hitl.enabled': 'maybe' } });
    expect(received).toEqual([
      expect.objectContaining({
        actorId: 'ops-1',
        revision: 1,
        requestId: 'put-1',
        changes: expect.arrayContaining([
          { key: 'hitl.enabled', before: false, after: true },
          { key: 'modes.hitl', before: 'enforce', after: 'monitor' },
        ]),
      }),
    ]);
  });

  it('reaches no @OnEvent handler of a host without an EventEmitterModule, which a warning names', async () => {
    const warnings: unknown[] = [];
    const spy = jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => warnings.push(text));
    await start({ withoutEmitter: true });
    spy.mockRestore();
    expect(warnings).toContainEqual(
      expect.stringContaining(
        '@OnEvent() of Listener.hear receives nothing, because the application has no EventEmitterModule. Add EventEmitterModule.forRoot()',
      ),
    );
    await host.put('/settings', { settings: { 'hitl.enabled': true } });
    expect(host.application.get(Listener).received).toEqual([]);
  });

  it('reaches the @OnEvent handlers of a host', async () => {
    await start({});
    await host.put('/settings', { settings: { 'hitl.enabled': true } });
    expect(host.application.get(Listener).received).toEqual([expect.any(SettingsChanged)]);
  });

  it('calls the other listeners although one throws or rejects', async () => {
    const emitter = await start({});
    const received: unknown[] = [];
    emitter.on(SettingsChanged.eventName, () => {
      throw new Error('a listener of the host');
    });
    emitter.on(SettingsChanged.eventName, (): unknown =>
      Promise.reject(new Error('another of its listeners')),
    );
    emitter.once(SettingsChanged.eventName, (event) => received.push(event));
    emitter.onAny((name) => received.push(name));
    expect((await host.put('/settings', { settings: { 'hitl.enabled': true } })).status).toBe(200);
    expect((await host.put('/settings', { settings: { 'hitl.enabled': false } })).status).toBe(200);
    expect(received).toEqual([
      SettingsChanged.eventName,
      expect.any(SettingsChanged),
      SettingsChanged.eventName,
    ]);
  });
});
