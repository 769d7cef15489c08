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
  });
});
