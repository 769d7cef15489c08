// A competent team's stack for the same work: Fastify, the hub's own verifier, one SQL function for
// each step, SKIP LOCKED and LISTEN, without limits, nonces, standing, events or panels.
import { createHash, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';
import { instant, seconds } from '../../../../domain/instant.ts';
import { inspect } from '../../../../domain/httpsig/inspect.ts';
import { createVerify } from '../../../../workflows/kernel/keys/ed25519.ts';

const SCHEMA = `
CREATE TABLE accounts (id text PRIMARY KEY, balance bigint NOT NULL);
CREATE TABLE transfers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now());
CREATE TABLE entries (transfer bigint NOT NULL REFERENCES transfers, account text NOT NULL,
  amount bigint NOT NULL, balance bigint NOT NULL);
CREATE INDEX ON entries (account, transfer);
CREATE TABLE once (account text, key text, transfer bigint NOT NULL, PRIMARY KEY (account, key));
CREATE TABLE tasks (id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, state text NOT NULL,
  requester text NOT NULL, terms jsonb NOT NULL, reward bigint NOT NULL, worker text, token uuid,
  result text);
CREATE INDEX ON tasks (seq) WHERE state = 'open';
INSERT INTO accounts VALUES ('escrow', 0), ('fees', 0);
CREATE FUNCTION move(debit text, credit text, sum bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE id bigint; left_over bigint; now_has bigint;
BEGIN
  INSERT INTO accounts VALUES (credit, 0) ON CONFLICT DO NOTHING;
  PERFORM FROM accounts a WHERE a.id IN (debit, credit) ORDER BY a.id FOR UPDATE;
  UPDATE accounts a SET balance = balance - sum WHERE a.id = debit RETURNING balance INTO left_over;
  IF left_over IS NULL OR left_over < 0 THEN RAISE 'insufficient funds'; END IF;
  UPDATE accounts a SET balance = balance + sum WHERE a.id = credit RETURNING balance INTO now_has;
  INSERT INTO transfers (amount) VALUES (sum) RETURNING transfers.id INTO id;
  INSERT INTO entries VALUES (id, debit, -sum, left_over), (id, credit, sum, now_has);
  RETURN id;
END $$;
CREATE FUNCTION pay(debit text, credit text, sum bigint, said text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE known bigint;
BEGIN
  SELECT transfer INTO known FROM once WHERE account = debit AND key = said;
  IF known IS NULL THEN
    known := move(debit, credit, sum);
    INSERT INTO once VALUES (debit, said, known);
  END IF;
  RETURN known;
END $$;
CREATE FUNCTION publish(task uuid, who text, terms jsonb, sum bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move(who, 'escrow', sum);
  INSERT INTO tasks (id, state, requester, terms, reward) VALUES (task, 'open', who, terms, sum);
  NOTIFY published;
END $$;
CREATE FUNCTION claim(who text, secret uuid) RETURNS SETOF tasks LANGUAGE sql AS $$
  UPDATE tasks SET state = 'held', worker = who, token = secret WHERE id = (
    SELECT id FROM tasks WHERE state = 'open' ORDER BY seq FOR UPDATE SKIP LOCKED LIMIT 1)
  RETURNING * $$;
CREATE FUNCTION submit(task uuid, secret uuid, said text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE found tasks;
BEGIN
  UPDATE tasks SET state = 'paid', result = said WHERE id = task AND state = 'held' AND token = secret
    RETURNING * INTO found;
  IF found.id IS NULL THEN RAISE 'no such claim'; END IF;
  PERFORM move('escrow', found.worker, found.reward - found.reward / 100);
  PERFORM move('escrow', 'fees', found.reward / 100);
END $$;`;

interface Came {
  readonly method: string;
  readonly url: string;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly body: Buffer;
  readonly params: Readonly<Record<string, string>>;
}
interface Fastify {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, read: Parser): void;
  post(path: string, handle: (came: Came) => Promise<object>): void;
  listen(at: { readonly port: number; readonly host: string }): Promise<string>;
}
type Parser = (came: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void;

const [, , port = '', database, peers = ''] = process.argv;
/** As many as one process of the hub has. */
const pool = new pg.Pool({ connectionString: database, max: 8 });
const hash = (name: string) => (bytes: Uint8Array) => createHash(name).update(bytes).digest();
const fixed = {
  maxAgeSeconds: seconds(300),
  origins: [`http://127.0.0.1:${port}`],
  allowTestKey: false,
  sha256: hash('sha256'),
  sha512: hash('sha512'),
  verify: createVerify(),
};

async function ask<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  return (await pool.query<Row>({ name, text, values: [...values] })).rows[0];
}

function signerOf({ method, url, raw, body }: Came): string {
  const request = { method, target: url, headers: raw.rawHeaders, body };
  const found = inspect(request, { ...fixed, now: instant(Date.now()) });
  if (found.kind !== 'verified') throw Object.assign(new Error(found.kind), { statusCode: 401 });
  return `key:${found.keyId}`;
}

function bodyOf({ body }: Came): Record<string, string> {
  return JSON.parse(body.toString()) as Record<string, string>;
}

interface TaskRow extends pg.QueryResultRow {
  readonly id: string;
  readonly terms: object;
}
/** Polls that wait, in the order in which they came; each is woken for one task. */
const waiting: (() => void)[] = [];

async function claimed(worker: string): Promise<object | undefined> {
  const token = randomUUID();
  const row = await ask<TaskRow>('claim', 'SELECT * FROM claim($1, $2)', [worker, token]);
  return row && { work: { ...row.terms, id: row.id }, claimToken: token };
}

async function nextTask(worker: string, waitMs: number): Promise<object> {
  const until = performance.now() + waitMs;
  for (;;) {
    const found = await claimed(worker);
    if (found !== undefined) return found;
    const left = until - performance.now();
    if (left <= 0) return { work: null };
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(wake), 1);
        resolve();
      }, left);
      waiting.push(wake);
    });
  }
}

await pool.query(SCHEMA);
const listener = new pg.Client({ connectionString: database });
await listener.connect();
await listener.query('LISTEN published');
listener.on('notification', () => waiting.shift()?.());

const load = createRequire(`${peers}/package.json`);
const open = load('fastify') as (options: object) => Fastify;
const app = open({ bodyLimit: 1_048_576 });
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) =>
  done(null, body),
);
app.post('/api/v1/wallet/:owner/credit', async (came) => {
  const { amount } = bodyOf(came);
  const text =
    'INSERT INTO accounts VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET balance = accounts.balance + $2';
  await ask('credit', text, [came.params['owner'], amount]);
  return { amount };
});
app.post('/api/v1/wallet/:owner/pay', async (came) => {
  const { to, amount, idempotencyKey } = bodyOf(came);
  const values = [signerOf(came), to, amount, idempotencyKey];
  const paid = await ask<{ pay: string }>('pay', 'SELECT pay($1, $2, $3, $4)', values);
  return { id: paid?.pay, amount };
});
app.post('/api/v1/tasks', async (came) => {
  const terms = bodyOf(came);
  const id = randomUUID();
  const values = [id, signerOf(came), JSON.stringify(terms), terms['rewardAmount']];
  await ask('publish', 'SELECT publish($1, $2, $3, $4)', values);
  return { ...terms, id, state: 'open' };
});
app.post('/api/v1/tasks/claim', (came) => {
  const wait = Number(new URL(came.url, 'http://host').searchParams.get('wait') ?? 0);
  return nextTask(signerOf(came), wait * 1_000);
});
app.post('/api/v1/tasks/:id/submit', async (came) => {
  const { claimToken, result } = bodyOf(came);
  signerOf(came);
  await ask('submit', 'SELECT submit($1, $2, $3)', [came.params['id'], claimToken, result]);
  return { id: came.params['id'], state: 'paid' };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('ready');
process.on('message', () => process.send?.({ ...process.memoryUsage(), cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
