import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryError } from '#contracts/events/event-sink.js';
import { TestHost } from '../http/support/host.js';
import { QuietSink } from '../http/support/quiet.sink.js';
import { cli, type CliResult } from './built-cli.js';

const sink = new QuietSink();
let host: TestHost;

beforeAll(async () => {
  host = await TestHost.start({ guardrails: { sinks: [sink] } });
  for (const text of ['one', 'two', 'three']) await host.guardrails.screen(text);
}, 120_000);

afterAll(() => host.stop());

const events = (words: readonly string[], as = 'operator'): Promise<CliResult> =>
  cli(['events', ...words], {
    GUARDRAILS_API_URL: `${host.origin}/guardrails/api/`,
    GUARDRAILS_API_AUTHORIZATION: `Bearer ${as}`,
  });

describe('nest-guardrails events', () => {
  it('list prints the state of each sink', async () => {
    const { code, stdout } = await events(['list']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^siem: ok, \d+ delivered, \d+ waiting for \d+ s, 0 dead\n$/),
    ]);
    const { stdout: json } = await events(['list', '--json']);
    expect(JSON.parse(json)).toMatchObject({ sinks: [{ name: 'siem', state: 'closed' }] });
  });

  it('test prints whether the event was delivered', async () => {
    expect(await events(['test', '--sink', 'siem'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Event \S+ was delivered to siem in \d+ ms\.\n$/),
    });
    sink.deliver = async () => {
      throw new DeliveryError('the receiver answered 500');
    };
    const failed = await events(['test', '--sink', 'siem']);
    sink.deliver = async (event) => void sink.delivered.push(event);
    expect(failed).toMatchObject({
      code: 1,
      stdout: 'The delivery to siem failed: the receiver answered 500.\n',
    });
  });

  it('test and replay print JSON with --json', async () => {
    const tested = await events(['test', '--sink', 'siem', '--json']);
    expect(JSON.parse(tested.stdout)).toMatchObject({ sink: 'siem', delivered: true });
    const replayed = await events(['replay', '--sink', 'siem', '--dead', '--json']);
    expect(JSON.parse(replayed.stdout)).toEqual({ sink: 'siem', queued: 0 });
  });

  it('replay queues a range or dead letters', async () => {
    expect(await events(['replay', '--sink', 'siem', '--from', '1', '--to', '2'])).toMatchObject({
      code: 0,
      stdout: '2 events are queued for siem.\n',
    });
    expect(await events(['replay', '--sink', 'siem', '--dead'])).toMatchObject({
      code: 0,
      stdout: '0 events are queued for siem.\n',
    });
  });

  it('exits with 3 and prints the reason if the request fails', async () => {
    const refused = await events(['test', '--sink', 'siem'], 'reader');
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining('The request failed with status 403.'),
    ]);
    const unknown = await events(['replay', '--sink', 'nobody', '--dead']);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining('Unknown sink. Use a name from GET /events/sinks.'),
    ]);
    const nowhere = await cli(['events', 'list', '--api', 'http://127.0.0.1:1/guardrails/api']);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      3,
      expect.stringMatching(/^The server does not answer\. .*\n {2}bad port\n$/),
    ]);
  });

  it.each([
    [['replay', '--dead']],
    [['replay', '--sink', 'siem']],
    [['replay', '--sink', 'siem', '--dead', '--from', '1']],
    [['replay', '--sink', 'siem', '--from', '0']],
    [['test']],
    [['list', '--api', 'somewhere']],
    [['nothing']],
    [[]],
  ])('exits with 2 for %j', async (words) => {
    const { code, stderr } = await events(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--help')]);
  });
});
