import { beforeAll, beforeEach, expect } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { TryScreenData } from '#contracts/api/try.js';
import type { SettingsChangesData, SettingsUpdateData } from '#contracts/settings/settings.api.js';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import type { Answer, Call } from '../support/client.js';
import type { Bench } from '../support/hosts.js';

/** The settings in nested form. */
interface ShownSettings extends SettingsUpdateData {
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const dataOf = ({ status, body }: Answer): object => {
  expect(status).toBe(200);
  return body.data;
};
export const settingsOf = (answer: Answer): ShownSettings => dataOf(answer) as ShownSettings;
export const changesOf = (answer: Answer): SettingsChangesData => dataOf(answer) as SettingsChangesData;
export const valueOf = ({ settings }: ShownSettings, key: string): unknown =>
  key.split('.').reduce<unknown>((node, name) => (node as Readonly<Record<string, unknown>>)[name], settings);

export const nested = (key: string, value: unknown): object =>
  key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

/** A body of exactly this many bytes. */
export const padded = (bytes: number): string => '{"settings":{"retention.days":8}}'.padEnd(bytes, ' ');

/** A unique phrase of exactly this many characters. */
export const phrase = (index: number, length: number): string =>
  `code word ${index} of the day `.repeat(100).slice(0, length);

/** The host of a settings suite. Each case starts without overrides. */
export class SettingsBench {
  readonly published: SettingsChanged[] = [];

  constructor(readonly bench: Bench) {
    beforeAll(() => {
      const emitter = this.bench.host.application.get(EventEmitter2, { strict: false });
      emitter.on(SettingsChanged.eventName, (event: SettingsChanged) => void this.published.push(event));
    });

    beforeEach(async () => {
      const { overridden } = await this.show();
      if (overridden.length > 0) await this.change(Object.fromEntries(overridden.map((key) => [key, null])));
      this.published.length = 0;
    });
  }

  readonly show = async (): Promise<ShownSettings> => settingsOf(await this.bench.api.get('/settings'));
  readonly put = (settings: object, call?: Call): Promise<Answer> =>
    this.bench.api.put('/settings', { settings }, call);
  readonly change = async (settings: object, call?: Call): Promise<ShownSettings> =>
    settingsOf(await this.put(settings, call));
  readonly log = async (query = ''): Promise<SettingsChangesData['changes']> =>
    changesOf(await this.bench.api.get(`/settings/changes${query}`)).changes;

  readonly conditional = (etag: string, days: number): Promise<Answer> =>
    this.put({ 'retention.days': days }, { headers: { 'if-match': etag } });

  readonly tryIt = async (prompt: string): Promise<TryScreenData> =>
    dataOf(await this.bench.api.post('/try/screen', { prompt })) as TryScreenData;

  /** Asserts that a refused PUT changed neither log, revision nor values, and published nothing. */
  readonly refused = (
    settings: object,
    code: string,
    fields: readonly string[],
    call?: Call,
  ): Promise<Answer> => this.changingNothing(() => this.refusing(settings, code, fields, call));

  /** Asserts that a PUT is refused for each of these values of one setting. */
  readonly refusedEach = (key: string, values: readonly unknown[]): Promise<void> =>
    this.changingNothing(async () => {
      for (const value of values) await this.refusing({ [key]: value }, 'invalid_settings', [key]);
    });

  private async changingNothing<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = await this.show();
    const [last] = await this.log('?limit=1');
    const result = await work();
    expect(await this.show()).toEqual(before);
    expect((await this.log('?limit=1'))[0]).toEqual(last);
    expect(this.published).toEqual([]);
    return result;
  }

  private async refusing(
    settings: object,
    code: string,
    fields: readonly string[],
    call?: Call,
  ): Promise<Answer> {
    const answer = await this.put(settings, call);
    const { error } = answer.body.data;
    expect({ settings, status: answer.status, code: error?.code }).toEqual({ settings, status: 422, code });
    expect(Object.keys(error.fields).toSorted()).toEqual([...fields].toSorted());
    for (const sentences of Object.values(error.fields)) {
      expect(sentences.length).toBeGreaterThan(0);
      for (const sentence of sentences) expect(sentence).toEqual(expect.stringMatching(/\S/));
    }
    return answer;
  }
}
