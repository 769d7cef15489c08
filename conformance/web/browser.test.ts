import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../../tools/buildWeb.mjs';
import { newAgent, type Agent } from '../harness/agents.ts';
import { realClock } from '../harness/clock.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import { NoBrowser, openShort, type Short } from './browser/short.mjs';

/**
 * The pages in Chromium, as far as every run of the tests has time for it. The browser comes from
 * npm at the first run; where it cannot, these tests are counted as skipped and the reason is said.
 */
const ALL_MS_MAX = 15 * 60_000;
/** Silence accepts a starter task after a minute. */
const SILENCE_SECONDS = 61;

describe('the pages in a browser', function () {
  this.timeout(ALL_MS_MAX);
  let folder: string;
  let hub: TestHub | undefined;
  let short: Short | undefined;
  const started = (): { readonly hub: TestHub; readonly short: Short } => {
    assert.ok(hub !== undefined && short !== undefined);
    return { hub, short };
  };

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'hub-pages-'));
    await buildWeb(folder);
    // The browser signs by its own clock, so the hub's is the real one.
    hub = await startHub({ clock: realClock(), webFolder: folder });
    await hub.runJob('starterRestock');
    try {
      short = await openShort(hub.url, (line) => console.log(line));
    } catch (error) {
      if (!(error instanceof NoBrowser)) throw error;
      console.log(`The pages were not opened: ${error.message}`);
      this.skip();
    }
  });
  after(async () => {
    await short?.close();
    await hub?.audit();
    await hub?.close();
    rmSync(folder, { recursive: true, force: true });
    mustHaveConformed();
  });

  it('take a person from an empty browser to the first payment', async () => {
    const { hub: own, short: seen } = started();
    await seen.earn();
    own.clock.advance(SILENCE_SECONDS);
    await own.runJob('autoAccept');
    await seen.getsPaid();
  });

  it('have no fault that axe finds, and none scrolls sideways at 320 px', async () => {
    const { short: seen, hub: own } = started();
    const writer = await newAgent(own);
    await seen.accessible([`/work/${await hostileTask(own, writer, 'A plain title', 'Plain.')}`]);
  });

  it('show untrusted texts as text alone', async () => {
    const { hub: own, short: seen } = started();
    const writer = await newAgent(own);
    const title = seen.hostileWord(200);
    const id = await hostileTask(own, writer, title, seen.HOSTILE_TEXT);
    for (const path of ['/app', '/app/work', `/app/work/${id}`]) await seen.harmless(path);
  });

  it('let the official chat-completion client work from another origin', async () => {
    const { short: seen, hub: own } = started();
    const buyer = await newAgent(own);
    await own.fund(buyer.account, '1000000');
    const minted = await buyer.post(`/api/v1/wallet/${buyer.account}/api-keys`, {});
    assert.deepEqual(await seen.useSdk(String(mustOk(minted)['key'])), {
      models: ['hub/echo', 'hub/words'],
      answer: 'Name the sea.',
      streamed: 'Name the sea.',
      refused: [400, 'model-unknown', 'string'],
    });
  });

  it('leave no error on the console, load nothing foreign and break no policy', () => {
    assert.deepEqual(started().short.faults(), []);
  });
});

async function hostileTask(
  hub: TestHub,
  writer: Agent,
  title: string,
  text: string,
): Promise<string> {
  await hub.fund(writer.account, '1000000');
  const deadline = new Date(hub.clock.now() + 86_400_000).toISOString();
  const body = {
    requester: writer.account,
    title,
    description: text,
    rewardAmount: '50000',
    deadline,
    tags: ['pitch'],
  };
  const { id } = mustOk(await writer.post('/api/v1/tasks', body));
  const comment = { author: writer.account, body: text };
  mustOk(await writer.post(`/api/v1/tasks/${String(id)}/comments`, comment));
  return String(id);
}
