import { mustOk } from '../../harness/must.ts';
import type { Agent, Answer } from '../../harness/agents.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { putFile } from '../../files/file.ts';
import { makeSpace, writeNote } from '../../memory/space.ts';
import { chat, compat, mintKey, receiptsOf } from '../../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../../models/_upstream.ts';
import type { Upstream } from '../../models/_upstream.ts';
import { firstCall, unnested } from './_follow.ts';
import type { Meets } from './_follow.ts';

/** Refusals of models, notes and files. */
export interface Shop extends Fixture {
  readonly upstream: Upstream;
}

export async function openShop(): Promise<Shop> {
  const upstream = await startUpstream(answerOf(1));
  const file = upstreamFile([localProvider(upstream)], [upstream]);
  const world = await openFixture({ env: file.env });
  const close = async (): Promise<void> => {
    await world.close();
    await upstream.close();
    file.remove();
  };
  return { ...world, upstream, close };
}

/** Sets values in the hub's storage, in place of a day's wait or ten thousand writes. */
async function setAccount(
  { hub }: Shop,
  { account }: Agent,
  columns: Readonly<Record<string, number>>,
): Promise<void> {
  await hub.running.hub.store.write(async (tx) => {
    await tx.knex('memory_accounts').where({ account }).update(columns);
  });
}

const OF_MODELS: Meets<Shop> = {
  'n-above-one': async ({ alice }) => ({
    by: alice,
    answer: await chat(alice, { n: 2 }),
    says: /Leave `n` out, and send the call again/,
    helps: () => chat(alice),
  }),
  'unsupported-parameter': async (world) => {
    const { alice } = world;
    const key = await mintKey(alice);
    const body = { model: 'acme/small', messages: [{ role: 'user', content: 'x' }] };
    const ask = (more: object): Promise<Answer> =>
      compat(world, '/v1/chat/completions', key, { ...body, ...more });
    return {
      by: alice,
      answer: unnested(await ask({ top_k: 3 })),
      says: /Leave the parameter out and send the call again.*GET \/api\/v1\/models/,
      helps: ({ allowed }) => ask({ [(allowed as readonly string[])[0] ?? '']: 1 }),
    };
  },
  'model-ceiling': async ({ alice, hub }) => {
    const day = Math.floor(hub.clock.now() / 86_400_000) * 86_400_000;
    const spent = { day, payer: alice.account, network: 'sandbox', amount: 19_999_000 };
    await hub.running.hub.store.write((tx) => tx.knex('model_spend').insert(spent));
    const ask = (max_tokens: number): Promise<Answer> => chat(alice, { max_tokens });
    return {
      by: alice,
      answer: await ask(1_000),
      says: /after the reset that the error text names, or with a lower `max_tokens`/,
      helps: async () => {
        mustOk(await ask(10));
        hub.clock.advance(86_400);
        return ask(1_000);
      },
    };
  },
  'model-failed': async (world) => {
    const { alice, upstream } = world;
    const key = await mintKey(alice);
    const body = { model: 'acme/small', messages: [{ role: 'user', content: 'x' }] };
    const ask = (): Promise<Answer> => compat(world, '/v1/chat/completions', key, body);
    upstream.play(() => ({ status: 500, body: { error: { message: 'out of order' } } }));
    const answer = unnested(await ask());
    return {
      by: alice,
      answer,
      says: /Send the call again: it cost nothing.*GET \/api\/v1\/models\/receipts/,
      helps: async () => {
        const [receipt] = await receiptsOf(alice);
        if (!/out of order/.test(JSON.stringify(receipt))) throw new Error(JSON.stringify(receipt));
        upstream.play(() => answerOf(1));
        return ask();
      },
    };
  },
};

const OF_NOTES: Meets<Shop> = {
  'bad-embedding': async ({ alice }) => {
    const space = await makeSpace(alice);
    const note = (embedding?: readonly number[]): Promise<Answer> =>
      writeNote(alice, space, 'text', embedding && { embedding });
    return {
      by: alice,
      answer: await note([1, 2]),
      says: /with 768 numbers, or without `embedding`/,
      helps: async () => {
        mustOk(await note(Array.from({ length: 768 }, (_, n) => n)));
        return note();
      },
    };
  },
  'notes-full': async (world) => {
    const { alice } = world;
    const space = await makeSpace(alice);
    mustOk(await writeNote(alice, space, 'old', { key: 'old' }));
    await setAccount(world, alice, { notes_written: 10_000 });
    return {
      by: alice,
      answer: await writeNote(alice, space, 'one more'),
      says: /Write over an old note by its `key`.*GET \/api\/v1\/memory\/usage\/key:/,
      helps: () => writeNote(alice, space, 'one more', { key: 'old' }),
    };
  },
  'memory-read-only': async (world) => {
    const { hub } = world;
    const poor = await world.agent();
    await world.fund(poor, '200');
    const space = await makeSpace(poor);
    mustOk(await writeNote(poor, space, 'kept'));
    for (let days = 0; days < 2; days += 1) {
      hub.clock.advance(86_400);
      await hub.runJob('storageRent');
    }
    return {
      by: poor,
      answer: await writeNote(poor, space, 'more'),
      says: /Put money in the account.*POST \S+\/credit`\) and send the call again/,
      helps: async (_, hint) => {
        const path = firstCall(hint, /\/credit$/);
        mustOk(await poor.post(path, { amount: '1000', idempotencyKey: 'rent' }));
        return writeNote(poor, space, 'more');
      },
    };
  },
};

const OF_FILES: Meets<Shop> = {
  'bad-base64': async ({ alice }) => {
    const put = (contentBase64: string): Promise<Answer> =>
      alice.post('/api/v1/files', { owner: alice.account, key: 'k', contentBase64 });
    return {
      by: alice,
      answer: await put('aGk'),
      says: /standard alphabet with padding.*send the call again/,
      helps: () => put('aGk='),
    };
  },
  'file-too-large': async ({ alice }) => {
    const whole = Buffer.alloc(33_554_433);
    return {
      by: alice,
      answer: await putFile(alice, 'whole', whole),
      says: /Split the file, and send the call again for each part under a key of its own/,
      helps: async () => {
        mustOk(await putFile(alice, 'part-1', whole.subarray(0, 100_000)));
        return putFile(alice, 'part-2', whole.subarray(100_000, 200_000));
      },
    };
  },
  'storage-full': async (world) => {
    const { alice } = world;
    mustOk(await putFile(alice, 'old', 'a longer text'));
    await setAccount(world, alice, { file_bytes: 209_715_200 });
    return {
      by: alice,
      answer: await putFile(alice, 'new', 'x'),
      says: /Replace a file by writing its key again with less.*GET \/api\/v1\/memory\/usage\/key:/,
      helps: async () => {
        mustOk(await putFile(alice, 'old', 'short'));
        return putFile(alice, 'new', 'x');
      },
    };
  },
};

export const SERVICES: Meets<Shop> = { ...OF_MODELS, ...OF_NOTES, ...OF_FILES };
