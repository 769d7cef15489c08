import assert from 'node:assert/strict';
import {
  comparePlants,
  drawPlant,
  type BankItem,
  type JudgedTask,
  type Plant,
} from './planting.ts';

/** A generator with a seed, so that a failure repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A market with large and small rewards, where old requesters pay more and work takes longer. */
function market(count: number, random: () => number): readonly JudgedTask[] {
  let at = 1_000_000;
  return Array.from({ length: count }, () => {
    at += Math.floor(-Math.log(1 - random()) * 600);
    const large = random() < 0.2;
    const bytes = Math.floor((large ? 2_000 : 200) * (0.5 + random()));
    return {
      rewardAtomic: large ? 5_000_000 + Math.floor(random() * 1_000_000) : 250_000,
      network: 'sandbox',
      mode: random() < 0.3 ? 'open' : 'exclusive',
      maxAttempts: large ? 5 : 3,
      deadlineSeconds: large ? 604_800 : 86_400,
      disputeWindowSeconds: 3_600,
      requiredSkills: large ? ['research', 'writing'] : ['extraction'],
      descriptionBytes: bytes,
      inputBytes: 2,
      resultBytes: Math.floor(bytes / 2),
      workSeconds: Math.floor((large ? 900 : 60) * (0.5 + random())),
      requesterAgeSeconds: Math.floor((large ? 1e7 : 1e5) * random()),
      requesterTasks: Math.floor((large ? 200 : 5) * random()),
      createdAtSeconds: at,
    };
  });
}

const bank: readonly BankItem[] = Array.from({ length: 400 }, (_, n) => ({
  title: `Case ${n}`,
  description: 'd'.repeat(20 + n * 8),
  result: 'r'.repeat(10 + n * 4),
  answer: n % 2 === 0 ? 'accepted' : 'rejected',
}));

/** The planted task as it is then stored: what the order copies, and its own texts. */
function asStored({ item, like, publishAfterSeconds }: Plant, after: number): JudgedTask {
  return {
    ...like,
    descriptionBytes: item.description.length,
    resultBytes: String(item.result).length + 2,
    createdAtSeconds: after + publishAfterSeconds,
  };
}

describe('drawing planted tasks', () => {
  const random = seeded(7);
  const real = market(300, random);
  const plants = Array.from({ length: 300 }, () => {
    const plant = drawPlant(random, real, { bank, every: 20 });
    assert.ok(plant !== undefined);
    return plant;
  });
  const stored = plants.map((plant) => asStored(plant, Math.floor(random() * 86_400)));

  it('leaves no visible figure whose distribution differs from real tasks', () => {
    const other = market(300, seeded(11));
    const byChance = comparePlants(other, real).filter(({ distance, limit }) => distance > limit);
    assert.deepEqual(byChance, [], 'two honest samples do not differ');
    const differing = comparePlants(stored, real).filter(({ distance, limit }) => distance > limit);
    assert.deepEqual(
      differing.map(({ feature }) => feature),
      [],
    );
  });

  it('keeps what belongs together: a planted task never mixes figures of two real ones', () => {
    const together = new Set(real.map((task) => `${task.rewardAtomic} ${task.requesterTasks}`));
    for (const { like } of plants) {
      assert.ok(together.has(`${like.rewardAtomic} ${like.requesterTasks}`));
    }
  });

  it('draws about one planted task for twenty real ones, without a rhythm', () => {
    const waits = plants.map(({ publishAfterSeconds }) => publishAfterSeconds);
    const mean = waits.reduce((sum, each) => sum + each, 0) / waits.length;
    assert.ok(mean > 20 * 600 * 0.8 && mean < 20 * 600 * 1.2, String(mean));
    assert.ok(new Set(waits).size > 250);
  });

  it('is found out when prices, requesters or hours are the planter’s own', () => {
    const careless: Partial<JudgedTask>[] = [
      { rewardAtomic: 100_000 },
      { requesterAgeSeconds: 60 },
      { requesterTasks: 900 },
      { workSeconds: 5 },
      { createdAtSeconds: 3 * 3_600 },
      { descriptionBytes: 40 },
    ];
    for (const over of careless) {
      const differing = comparePlants(
        stored.map((task) => ({ ...task, ...over })),
        real,
      );
      assert.ok(
        differing.some(({ distance, limit }) => distance > limit),
        JSON.stringify(over),
      );
    }
  });

  it('draws nothing without cases or with too few real tasks to look like', () => {
    assert.equal(drawPlant(random, real, { bank: [], every: 20 }), undefined);
    assert.equal(drawPlant(random, real.slice(0, 19), { bank, every: 20 }), undefined);
    assert.ok(drawPlant(random, real.slice(0, 20), { bank, every: 20 }));
  });
});

describe('a planted task', () => {
  /** Twenty tasks with 100 + 20 + 30 bytes, each published a minute after the one before. */
  const [task] = market(1, seeded(7));
  assert.ok(task !== undefined);
  const sizes = { descriptionBytes: 100, inputBytes: 20, resultBytes: 30 };
  const real = Array.from({ length: 20 }, (_, n) => ({
    ...task,
    ...sizes,
    rewardAtomic: n,
    createdAtSeconds: 60 * n,
  }));
  const drawnBy = (place: number, tasks: readonly JudgedTask[], from: readonly BankItem[]) =>
    drawPlant(() => place, tasks, { bank: from, every: 3 });

  it('has one of the five cases that are nearest to its length, by ratio', () => {
    /** A case with so many bytes in description, input and result. */
    const sized = (bytes: number, over: Partial<BankItem> = {}): BankItem => {
      const rest = JSON.stringify(over.input ?? '').length + JSON.stringify('rr').length;
      const description = over.description ?? 'd'.repeat(bytes - rest);
      return { title: `${bytes}`, result: 'rr', answer: 'accepted', ...over, description };
    };
    const cases = [
      sized(10),
      sized(1_000),
      sized(60),
      sized(220),
      sized(150, { input: { text: 'i'.repeat(100) } }),
      sized(80),
      sized(100),
      sized(300),
      sized(140, { description: 'd', result: 'r'.repeat(135) }),
      sized(160, { description: 'é'.repeat(77) }),
    ];
    const titles = [0, 0.2, 0.4, 0.6, 0.8].map((at) => drawnBy(at, real, cases)?.item.title);
    assert.deepEqual(new Set(titles), new Set(['100', '140', '150', '160', '220']));
  });

  it('waits as long as real tasks came apart, one pause for each of so many', () => {
    const times = [0, 100, 107, 200, ...Array.from({ length: 16 }, (_, n) => 1_000 * (n + 1))];
    const newestFirst = times.map((createdAtSeconds) => ({ ...task, createdAtSeconds })).reverse();
    const waits = (at: number) => drawnBy(at, newestFirst, bank)?.publishAfterSeconds;
    assert.deepEqual([waits(0), waits(0.06), waits(0.999)], [3 * 100, 3 * 7, 3 * 1_000]);
  });

  it('is like any of the real tasks', () => {
    const likes = [0, 0.5, 0.999].map((at) => drawnBy(at, real, bank)?.like.rewardAtomic);
    assert.deepEqual(likes, [0, 10, 19]);
  });
});
