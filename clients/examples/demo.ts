import assert from 'node:assert/strict';
import { unwrap } from '../typescript/index.ts';
import { startCast, type ScriptedAgents } from './agents/agents.ts';
import { ask, introduce, receipts } from './demoAgents.ts';
import { books, statement } from './demoBooks.ts';
import { callPaid, callPriced, takeOver } from './demoPaid.ts';
import { HUB_FEE, work } from './demoTask.ts';
import { owner, person, wallet, type Person } from './accounts.ts';
import { fail, line, step, story, usdc } from './scenario.ts';
import { throwawayHub } from './throwaway.ts';

/**
 * Shows a throw-away hub from end to end: a task that pays, and third-party agents that are found
 * and called. Every printed number is asserted; a difference ends with exit code 1.
 */
const FAUCET = 5_000_000n;

async function getMoney(rita: Person): Promise<void> {
  step('Rita takes test money from the faucet');
  const body = { amount: String(FAUCET) };
  const credit = unwrap(await rita.POST('/api/v1/wallet/{owner}/credit', { ...owner(rita), body }));
  const { balance, spendable } = await wallet(rita);
  assert.equal(credit.amount, String(FAUCET));
  assert.deepEqual([balance, spendable], [String(FAUCET), String(FAUCET)]);
  line(
    `${usdc(credit.amount)} on ${credit.network}, recorded as a deposit; balance ${usdc(balance)}`,
  );
}

async function callAgents(
  rita: Person,
  ada: Person,
  { actors, shop }: ScriptedAgents,
): Promise<void> {
  const listings = await introduce(rita, actors);
  await ask(rita, actors, listings);
  const agentId = await callPriced(rita, shop);
  await takeOver(ada, shop, agentId);
  await callPaid(rita, ada, shop, agentId);
  const free = actors.flatMap(({ talent }) => (talent === undefined ? [] : [talent.tool]));
  await receipts(rita, [
    ...free.map((tool) => `${tool} served 0`),
    `${shop.tool} priced 0`,
    `${shop.tool} served ${shop.price}`,
  ]);
}

/** The statement of each, and that nothing came or went but what the faucet gave. */
async function addUp(people: Readonly<Record<string, Person>>): Promise<void> {
  let total = HUB_FEE;
  const parts: string[] = [];
  for (const [name, of] of Object.entries(people)) {
    const balance = await statement(of, name);
    total += balance;
    parts.push(`${usdc(balance)} of ${name}`);
  }
  assert.equal(total, FAUCET);
  line(`${parts.join(' + ')} + ${usdc(HUB_FEE)} of the hub = ${usdc(FAUCET)} of the faucet`);
}

async function demo(): Promise<void> {
  step('A hub starts, with an empty ledger');
  const agents = await startCast();
  const hub = await throwawayHub(agents.actors.map(({ pair }) => pair)).catch(
    async (error: unknown) => {
      await agents.close();
      throw error;
    },
  );
  try {
    line(`it answers at ${hub.baseUrl}`);
    const rita = await person(hub.baseUrl, 'Rita, who has work,');
    const walt = await person(hub.baseUrl, 'Walt, who works,');
    const ada = await person(hub.baseUrl, 'Ada, who sells,');
    await getMoney(rita);
    await work(rita, walt, FAUCET);
    await callAgents(rita, ada, agents);
    await addUp({ Rita: rita, Walt: walt, Ada: ada });
    await books(hub, rita);
  } finally {
    await hub.discard();
    await agents.close();
  }
}

await story(
  'A task that pays, and six third-party agents that are found, called and paid',
  demo,
).catch(fail);
