import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { saveListings, type Probed } from '../../db/registry/listings.ts';
import { listingCode } from '../../domain/registry/code.ts';
import { openLimits } from '../../server/http/limits.ts';
import { openMetrics } from '../../server/operator/metrics.ts';
import type { ModelDesk } from '../../workflows/kernel/models/desk.ts';
import { openByMeaning } from '../../workflows/kernel/search/byMeaning.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk } from '../harness/must.ts';
import {
  embedded,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Play,
  type Upstream,
  type UpstreamFile,
} from '../models/_upstream.ts';
import { fill, index, listing, skill } from '../registry/_index.ts';

type Body = Readonly<Record<string, unknown>>;

/** Words of one meaning have the same place in a vector. */
const CONCEPTS = [
  'weather forecast rain umbrella sky',
  'money invoice bill debtor paid',
  'music song melody tune',
  'translate language idiom foreign',
  'parcel shipment courier',
].map((words) => words.split(' '));
const DIMENSIONS = CONCEPTS.length + 1;

function vectorOf(text: string, dimensions: number): readonly number[] {
  const words = new Set(text.toLowerCase().split(/[^a-z]+/));
  const counts = CONCEPTS.map((concept) => concept.filter((word) => words.has(word)).length);
  return [...counts, 0.1, ...Array<number>(dimensions).fill(0)].slice(0, dimensions);
}

const answering = (body: Body, dimensions = DIMENSIONS) =>
  embedded(body, (text) => vectorOf(text, dimensions));

const EMBEDS = { upstreamId: 'embed-1', input: '1', contextLength: 512 };
const MODELS = [
  MODEL,
  { ...EMBEDS, id: 'acme/embed', dimensions: DIMENSIONS },
  { ...EMBEDS, id: 'acme/other', dimensions: DIMENSIONS + 2 },
];

const say = (host: string, name: string, description: string, tool = ''): Probed =>
  listing(
    host,
    { name, description },
    tool === '' ? [] : [skill(`${host.split('.')[0]}_tool`, { description: tool })],
  );
const LISTED = [
  say('sky.example', 'Nimbus', 'Knows what the sky will do.', 'A forecast for a place.'),
  say('books.example', 'Ledger lines', 'Writes an invoice.', 'Reminds a debtor.'),
  say('tunes.example', 'Orpheus', 'Plays a song.', 'Finds a melody.'),
  say('words.example', 'Babel', 'Knows each foreign idiom.', 'Says it in another language.'),
  say('post.example', 'Hermes', 'Follows a shipment.', 'Where the courier is.'),
];
const idOf = (host: string): string => listingCode('mcp', `https://${host}`);

const TURN_MS_MAX = 20;

/** Processor time of the thread of the event loop: other programs do not count. */
function mainThreadMs(): number {
  const [ran = '0'] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(ran) / 1e6;
}

const SUITE_MS_MAX = 120_000;

hubsOnBothDatabases('search by meaning', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  let asked = 0;
  const env = (more: Readonly<Record<string, string>> = {}) => ({
    ...file.env,
    HUB_SEARCH_EMBEDDINGS: 'acme/embed',
    ...more,
  });
  const texts = (): number =>
    upstream.asked
      .slice(asked)
      .reduce((sum, { body }) => sum + (body['input'] as readonly unknown[]).length, 0);
  /** Runs the job until it leaves nothing to do at once. */
  const make = async (of = world): Promise<void> => {
    await index(of);
    for (let runs = 0; runs < 40; runs += 1) {
      const again = await of.hub.running.driver.runOnce('searchVectors');
      if (again === undefined) return;
    }
  };
  const found = async (q: string, more = '', of = world): Promise<readonly string[]> => {
    const answer = mustOk(await of.anyone.get(`/api/v1/search?q=${encodeURIComponent(q)}${more}`));
    return (answer['results'] as readonly Body[]).map((hit) => String(hit['agentId']));
  };
  /** A machine that is busy answers from words at first; vectors that came late are kept. */
  const mustFindFirst = async (host: string, q: string, more = '', of = world): Promise<void> => {
    let first: string | undefined;
    for (let limit = 20; limit > 8 && first !== idOf(host); limit -= 1) {
      if (limit < 20) await sleep(100);
      [first] = await found(q, `${more}&limit=${limit}`, of);
    }
    assert.equal(first, idOf(host), more);
  };
  const patient = async <T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    for (let tries = 0; tries < 12; tries += 1) {
      const seen = await look();
      if (seen.length > 0) return seen;
      await sleep(100);
    }
    return [];
  };
  const figure = (name: 'text failed' | 'query late'): number =>
    world.hub.running.hub.byMeaning.figures().get(name) ?? 0;
  const remove = async (host: string): Promise<void> => {
    const { store } = world.hub.running.hub;
    await store.write(async (tx) => {
      await tx
        .knex('listings')
        .where({ id: idOf(host) })
        .delete();
    });
    await make();
  };
  const stored = (table: string, of = world): Promise<readonly Body[]> =>
    of.hub.running.hub.store.read((db) => db.knex(table).select<Body[]>());

  before(async function start() {
    this.timeout(SUITE_MS_MAX);
    upstream = await startUpstream();
    upstream.play(answering);
    file = upstreamFile([localProvider(upstream, { models: MODELS })], [upstream]);
    world = await open({ env: env() });
    await fill(world, LISTED);
  });
  beforeEach(() => {
    upstream.play(answering);
    asked = upstream.asked.length;
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });

  it('asks once for each text, however often it looks', async () => {
    await make();
    await make();
    assert.equal(texts(), LISTED.length);
    assert.equal((await stored('search_vectors')).length, LISTED.length);
  });

  it('finds a paraphrase without a common word, as an agent, as a tool and in the list', async () => {
    for (const more of ['', '&kind=agent', '&kind=skill']) {
      await mustFindFirst('sky.example', 'umbrella tomorrow', more);
    }
    const listed = mustOk(await world.anyone.get('/api/v1/agents?q=umbrella%20tomorrow'));
    assert.equal(at(listed, 'agents', 0, 'id'), idOf('sky.example'));
    assert.deepEqual(await found('umbrella', '&kind=task'), []);
  });

  it('keeps an exact name and the name of a tool first, whatever is nearer', async () => {
    const named = say('rain.example', 'Umbrella', 'Sells what is worn.');
    await fill(world, [named]);
    await make();
    assert.equal((await found('umbrella'))[0], idOf('rain.example'));
    assert.equal((await found('post_tool'))[0], idOf('post.example'));
  });

  it('asks for the vector of a query once', async () => {
    await found('who owes a bill');
    await found('who  owes a bill ');
    assert.equal(texts(), 1);
  });

  it('makes the vector of a changed text again, and forgets the former one', async () => {
    const changed = say('tunes.example', 'Orpheus', 'Reads a bill.', 'Says who has paid.');
    await fill(world, [changed]);
    await make();
    assert.equal(texts(), 1);
    await mustFindFirst('tunes.example', 'who has paid today');
    assert.notEqual((await found('melody that stays'))[0], idOf('tunes.example'));
    const gone = (await stored('search_vectors')).filter(({ vector }) => vector === null);
    assert.equal(gone.length, 1);
  });

  it('removes the vector with its listing, but not one that another text has', async () => {
    const twins = ['a.example', 'b.example'].map((host) =>
      say(host, 'Twin', 'Sends a parcel abroad.'),
    );
    await fill(world, twins);
    await make();
    assert.equal(texts(), 1);
    const vectors = async () =>
      (await stored('search_vectors')).filter(({ vector }) => vector !== null).length;
    const before = await vectors();
    await remove('a.example');
    assert.equal(await vectors(), before);
    await remove('b.example');
    assert.equal(await vectors(), before - 1);
  });

  it('answers from words while the provider is slow, and keeps what comes late', async () => {
    const waits = { release: (): void => undefined };
    const after = new Promise<void>((resolve) => (waits.release = resolve));
    upstream.play((body) => ({ ...answering(body), after }));
    const late = figure('query late');
    const times: number[] = [];
    for (const q of ['shipment tomorrow', 'shipment on friday', 'shipment in may']) {
      const begun = performance.now();
      assert.equal((await found(q))[0], idOf('post.example'));
      times.push(performance.now() - begun);
    }
    assert.equal(figure('query late') - late, 1, 'one query of ten seconds waits');
    assert.ok(Math.min(...times) < 250, times.join(', '));
    waits.release();
    await sleep(100);
    const seen = upstream.asked.length;
    world.hub.clock.advance(60);
    await found('shipment in may', '&limit=19');
    assert.equal(upstream.asked.length, seen);
  });

  const wrong: Readonly<Record<string, (body: Body) => Play>> = {
    'fewer numbers': (body) => answering(body, DIMENSIONS - 1),
    'an error': () => ({ status: 500, body: { error: { message: 'down' } } }),
    'no vectors': () => ({ status: 200, body: { data: [] } }),
  };
  for (const [what, play] of Object.entries(wrong)) {
    it(`answers from words when the provider answers ${what}, and asks again later`, async () => {
      const host = `${what.replaceAll(' ', '')}.example`;
      await fill(world, [say(host, `Maker of ${what}`, 'Hums a tune in a foreign sky.')]);
      upstream.play(play);
      const failed = figure('text failed');
      await make();
      assert.ok(figure('text failed') > failed);
      assert.equal((await found(`maker of ${what}`))[0], idOf(host));
      upstream.play(answering);
      await make();
      world.hub.clock.advance(1_200);
      await make();
      const waiting = (await stored('search_texts')).filter(({ due_at: due }) => due !== null);
      assert.deepEqual(waiting, []);
    });
  }

  it('asks for a text alone that no provider takes, so that it spoils no batch', async () => {
    const bad = say('bad.example', 'Poison', 'A text that is refused.');
    const good = say('good.example', 'Remedy', 'A melody that is taken.');
    await fill(world, [bad, good]);
    upstream.play((body) =>
      JSON.stringify(body['input']).includes('Poison')
        ? { status: 400, body: { error: { message: 'refused' } } }
        : answering(body),
    );
    await make();
    const waiting = (await stored('search_texts')).filter(({ due_at: due }) => due !== null);
    assert.deepEqual(
      waiting.map(({ ref }) => ref),
      [idOf('bad.example')],
    );
    await remove('bad.example');
  });

  it('shares the work and the vectors with another process', async () => {
    const other = await open({ env: env(), clock: world.hub.clock });
    await fill(
      world,
      Array.from({ length: 80 }, (_, n) => say(`p${n}.example`, `Peer ${n}`, `Says number ${n}.`)),
    );
    await Promise.all([make(), make(other)]);
    await make();
    assert.equal(texts(), 80);
    await mustFindFirst('rain.example', 'umbrella again', '', other);
  }).timeout(SUITE_MS_MAX);

  it('asks again for a batch whose process was killed between vector and commit', async () => {
    await fill(world, [say('killed.example', 'Phoenix', 'Comes back to its tune.')]);
    await index(world);
    const { hub } = world.hub.running;
    const { write } = hub.store;
    let writes = 0;
    const killed = new Error('killed');
    // The second write of a step, after that of the texts, is the claim; the third is the commit.
    Object.assign(hub.store, {
      write: (...given: Parameters<typeof write>) => {
        writes += 1;
        if (upstream.asked.length > asked) throw killed;
        return write(...given);
      },
    });
    try {
      await world.hub.running.driver.runOnce('searchVectors');
    } finally {
      Object.assign(hub.store, { write });
    }
    assert.deepEqual([texts(), writes > 1], [1, true]);
    await make();
    assert.equal(texts(), 1, 'its claim has not ended');
    world.hub.clock.advance(61);
    await make();
    assert.equal(texts(), 2);
    assert.ok((await found('phoenix tune')).includes(idOf('killed.example')));
  });

  it('asks for no more texts than the hour allows', async () => {
    const { store } = world.hub.running.hub;
    const hour = Math.floor(world.hub.clock.now() / 3_600_000);
    await store.write(async (tx) => {
      await tx.knex('search_models').update({ hour, asked: 6_000 });
    });
    await fill(world, [say('later.example', 'Later', 'Has to wait.')]);
    await make();
    assert.equal(texts(), 0);
    world.hub.clock.advance(3_600);
    await make();
    assert.equal(texts(), 1);
  });

  it('makes the vectors of another model, and forgets those that are unused for a day', async () => {
    const other = await open({
      env: env({ HUB_SEARCH_EMBEDDINGS: 'acme/other' }),
      clock: world.hub.clock,
    });
    upstream.play((body) => answering(body, DIMENSIONS + 2));
    await make(other);
    await mustFindFirst('rain.example', 'umbrella other', '', other);
    world.hub.clock.advance(2 * 86_400);
    await make(other);
    for (let runs = 0; runs < 10; runs += 1) await other.hub.runJob('unusedVectors');
    const models = (await stored('search_models')).map(({ model }) => String(model));
    assert.deepEqual(
      models.map((model) => model.split(' ')[0]),
      ['acme/other'],
    );
    const left = (await stored('search_vectors')).filter(({ model }) => model !== models[0]);
    assert.deepEqual(left, []);
  });

  it('is counted in the metrics, by texts and queries and their end', async () => {
    const page = await openMetrics(world.hub.running.hub, world.hub.running.driver).text();
    const count = (of: string, end: string): number => {
      const line = `hub_search_vectors_total{of="${of}",end="${end}"} `;
      return Number(
        page
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.slice(line.length),
      );
    };
    assert.ok(count('text', 'made') > LISTED.length, page);
    assert.ok(count('text', 'failed') > 0);
    assert.ok(count('query', 'made') > 0 && count('query', 'kept') > 0);
    assert.equal(count('query', 'late'), figure('query late'));
  });

  it('has budgets of queries for an address and for all, beyond which nothing is asked', async () => {
    const { hub } = world.hub.running;
    let asks = 0;
    const models: ModelDesk = {
      ...hub.models,
      async *ask({ dimensions }) {
        asks += 1;
        await Promise.resolve();
        yield { is: 'vectors', vectors: [new Float32Array(dimensions).fill(1)] };
      },
    };
    const limits = openLimits(() => hub.clock.now(), true);
    const limited = openByMeaning({ ...hub, models, limits, model: hub.byMeaning.model });
    const near = async (address: string, count: number): Promise<number> => {
      const before = asks;
      for (let n = 0; n < count; n += 1) await limited.near(`${address} asks ${n}`, address);
      return asks - before;
    };
    assert.equal(await near('192.0.2.1', 150), 120);
    assert.equal(await near('192.0.2.2', 10), 10);
    assert.equal(limited.figures().get('query limited'), 30);
    for (let n = 3; n < 60; n += 1) await near(`192.0.2.${n}`, 120);
    assert.equal(asks, 6_000);
    assert.deepEqual(await limited.near('umbrella at last', '192.0.2.99'), []);
    await limited.close();
  }).timeout(SUITE_MS_MAX);

  it('finds an honest listing although 310 others say nearly the same as its rival', async () => {
    const rivals = Array.from({ length: 310 }, (_, n) =>
      listing(
        `r${n}.flood.example`,
        { name: `Flood ${n}`, description: 'Umbrella sky rain forecast.', operatorId: 'flood' },
        [skill(`flood_${n}`, { description: `Weather of town number ${n}.` })],
      ),
    );
    await fill(world, rivals);
    world.hub.clock.advance(3_600);
    await make();
    const { byMeaning } = world.hub.running.hub;
    const near = await patient(() => byMeaning.near('umbrella sky for an idiom', '192.0.2.1'));
    const refs = near.map(({ ref }) => ref);
    const floods = rivals.filter(({ listing: { id } }) => refs.includes(id));
    assert.deepEqual([floods.length, refs.includes(idOf('words.example'))], [3, true]);
  }).timeout(SUITE_MS_MAX);

  it('does not hold the event loop while a visitor sends thousands of queries', async () => {
    const { byMeaning, store } = world.hub.running.hub;
    await store.write((tx) =>
      saveListings(
        tx,
        Array.from({ length: 300 }, (_, n) =>
          say(`loop${n}.example`, `Loop ${n}`, `Bill number ${n} of a song.`),
        ),
      ),
    );
    world.hub.clock.advance(3_600);
    await make();
    const turns: number[] = [];
    let isOver = false;
    const watch = (async () => {
      while (!isOver) {
        const begun = mainThreadMs();
        await turn();
        turns.push(mainThreadMs() - begun);
      }
    })();
    for (let n = 0; n < 2_000; n += 8) {
      await Promise.all(
        Array.from({ length: 8 }, (_, k) => byMeaning.near(`umbrella ${n + k}`, '192.0.2.1')),
      );
    }
    isOver = true;
    await watch;
    // One may have collected the garbage of the whole process; what queries cause comes again.
    const [, second = 0] = turns.sort((one, other) => other - one);
    assert.ok(second < TURN_MS_MAX, `${second} ms of ${turns.length} turns`);
  }).timeout(SUITE_MS_MAX);
});

hubsOnBothDatabases('search without a model of vectors', (open) => {
  it('asks no model and finds by words alone', async () => {
    const world = await open();
    await fill(world, LISTED);
    await world.hub.runJob('searchVectors');
    const answer = mustOk(await world.anyone.get('/api/v1/search?q=umbrella'));
    assert.deepEqual(answer['results'], []);
  });

  it('refuses to start with a model that makes no vectors', async () => {
    await assert.rejects(open({ env: { HUB_SEARCH_EMBEDDINGS: 'hub/echo' } }), /hub\/words/);
  });
});
