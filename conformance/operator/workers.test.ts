import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent as Connections, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { openStore } from '../../db/store.ts';
import { newAgent, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { program } from '../harness/program.ts';
import { until } from '../harness/waiting.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';

const WORKERS = 2;
const PAYERS = 4;

type Line = Readonly<Record<string, unknown>>;

/** A parent with its workers, and what they log. */
class Workers {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;
  readonly url: string;
  readonly metricsUrl: string;
  private constructor(child: ChildProcess, url: string, metricsUrl: string) {
    this.child = child;
    this.url = url;
    this.metricsUrl = metricsUrl;
  }

  static async start(env: Readonly<Record<string, string>>): Promise<Workers> {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const child = spawn(process.execPath, [await program('server/main.ts')], {
      env: {
        ...process.env,
        HUB_WORKERS: String(WORKERS),
        HUB_PORT: String(port),
        HUB_METRICS_PORT: String(metricsPort),
        FAUCET_ENABLED: 'true',
        HUB_RATE_LIMITS: 'false',
        HUB_ACCESS_LOG: 'false',
        HUB_DRAIN_SECONDS: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const at = (each: number): string => `http://127.0.0.1:${each}`;
    const workers = new Workers(child, at(port), at(metricsPort));
    let rest = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const texts = (rest + chunk.toString()).split('\n');
      rest = texts.pop() ?? '';
      workers.lines.push(...texts.map((text) => JSON.parse(text) as Line));
    });
    await until(() => workers.count('all workers serve') === 1);
    return workers;
  }

  count(msg: string): number {
    return this.lines.filter((line) => line['msg'] === msg).length;
  }

  /** The processes that began to serve, the newest of each worker. */
  pids(): readonly number[] {
    const newest = new Map<unknown, number>();
    for (const { msg, worker, pid } of this.lines) {
      if (msg === 'started') newest.set(worker, Number(pid));
    }
    return [...newest.values()];
  }

  async end(): Promise<readonly unknown[]> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    return ended;
  }
}

/** The status of a GET over the connections of `agent`; each new one reaches the next worker. */
async function statusOf(url: string, agent?: Connections): Promise<number> {
  const sent = request(url, { agent: agent ?? new Connections() }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

describe('a hub of several workers (PostgreSQL)', function suite() {
  this.timeout(120_000);
  let folder: string;
  let databaseUrl: string;
  let workers: Workers;
  let payers: readonly Agent[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-workers-'));
    databaseUrl = await (await sharedPostgres()).freshDatabase();
    workers = await Workers.start({ HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: folder });
    payers = await Promise.all(
      Array.from({ length: PAYERS }, () => newAgent({ url: workers.url, clock: Date })),
    );
    for (const { account, post } of payers) {
      const body = { amount: '1000000', idempotencyKey: 'first' };
      mustOk(await post(`/api/v1/wallet/${account}/credit`, body));
    }
  });
  after(async () => {
    workers.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    const store = await openStore(databaseUrl);
    await assertBooksBalance(store);
    await store.close();
  });

  /** Each payer pays the next one until stopped, a key again after a lost answer. */
  function pay(name: string) {
    let going = true;
    let paid = 0;
    let lost = 0;
    const lanes = payers.map(async (payer, nth) => {
      const to = payers[(nth + 1) % PAYERS]?.account;
      for (let n = 0; going; n += 1) {
        const body = { to, amount: '1', idempotencyKey: `${name}-${n}` };
        const path = `/api/v1/wallet/${payer.account}/pay`;
        for (let isPaid = false; !isPaid;) {
          const answer = await payer.post(path, body).catch(() => undefined);
          if (answer === undefined) lost += 1;
          else mustOk(answer);
          isPaid = answer !== undefined;
        }
        paid += 1;
      }
    });
    return async () => {
      going = false;
      await Promise.all(lanes);
      return { paid, lost };
    };
  }

  it('has each worker serve, and shows the metrics of all at one address', async () => {
    for (let n = 0; n < 2 * WORKERS; n += 1) {
      assert.equal(await statusOf(`${workers.url}/api/v1`), 200);
    }
    const page = await (await fetch(`${workers.metricsUrl}/metrics`)).text();
    for (let worker = 1; worker <= WORKERS; worker += 1) {
      const series = new RegExp(
        `^hub_requests_total\\{operation="discovery.index",[^}]*worker="${worker}"\\} [1-9]`,
        'm',
      );
      assert.match(page, series);
    }
    assert.equal(page.match(/^# TYPE process_resident_memory_bytes/gm)?.length, 1);
    assert.equal(page.match(/^process_resident_memory_bytes\{/gm)?.length, WORKERS);
    assert.equal(new Set(workers.pids()).size, WORKERS);
  });

  it('replaces a worker that dies, and every payment is made once', async () => {
    const stop = pay('killed');
    const [killed = 0] = workers.pids();
    const before = workers.count('started');
    process.kill(killed, 'SIGKILL');
    await until(() => workers.count('started') === before + 1);
    const { paid } = await stop();
    assert.ok(paid > 0);
    assert.equal(workers.count('a worker ended'), 1);
    assert.ok(!workers.pids().includes(killed));
    await assertOnce();
  });

  it('replaces a worker that does not answer', async () => {
    const [, hanging = 0] = workers.pids();
    const before = workers.count('started');
    process.kill(hanging, 'SIGSTOP');
    await until(() => workers.count('started') === before + 1);
    assert.equal(workers.count('a worker does not answer'), 1);
    assert.ok(!workers.pids().includes(hanging));
    assert.equal(await statusOf(`${workers.url}/readyz`), 200);
  });

  it('replaces all of them after SIGHUP without a request that fails', async () => {
    const before = workers.pids();
    const kept = new Connections({ keepAlive: true, maxSockets: 1 });
    assert.equal(await statusOf(`${workers.url}/api/v1`, kept), 200);
    const stop = pay('rolled');
    const asked: number[] = [];
    let going = true;
    const asking = (async () => {
      while (going) asked.push(await statusOf(`${workers.url}/api/v1`));
    })();
    workers.child.kill('SIGHUP');
    await until(async () => {
      assert.equal(await statusOf(`${workers.url}/api/v1`, kept), 200);
      return workers.count('the workers were replaced') === 1;
    });
    going = false;
    await asking;
    const { paid, lost } = await stop();
    assert.ok(paid > 0 && lost === 0, `${lost} of ${paid} were lost`);
    assert.ok(asked.every((status) => status === 200));
    assert.ok(workers.pids().every((pid) => !before.includes(pid)));
    kept.destroy();
    await assertOnce();
  });

  it('ends with all its workers after SIGTERM', async () => {
    const pids = workers.pids();
    assert.deepEqual(await workers.end(), [0, null]);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });

  /** The money of the payers is what the faucet gave: nothing was lost or doubled between them. */
  async function assertOnce(): Promise<void> {
    const wallets = await Promise.all(
      payers.map(async ({ get, account }) => mustOk(await get(`/api/v1/wallet/${account}`))),
    );
    const sum = wallets.reduce((total, wallet) => total + Number(wallet['balance']), 0);
    given ??= sum;
    assert.equal(sum, given);
  }
  let given: number | undefined;
});
