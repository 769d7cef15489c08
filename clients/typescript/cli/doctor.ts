import { join } from 'node:path';
import { service } from '../../../generated/doors.ts';
import { createHub, HubFailure, signer, signRequest, unwrap } from '../index.ts';
import type { GeneratedKey, Hub } from '../index.ts';
import { fileKeys, keys } from '../node.ts';
import { wordsOf, type Call, type Command } from './command.ts';
import { homeOf, type Home } from './home.ts';
import { usdc } from './money.ts';
import { hubKeys } from './session.ts';
import { plain, show, styled } from './show.ts';

/** `hub doctor`: everything that a signed call needs, each tried by itself, on one page. */
interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
  /** The next step, of a finding that is not well. */
  readonly todo?: string;
}
interface Patient {
  readonly home: Home;
  /** Unsigned, and each call is sent once. */
  readonly reader: Hub;
}

/** Signatures are refused when they are this old; half of it leaves time for slow networks. */
const CLOCK_OFF_MS_MAX = 150_000;

export const doctor: Command = {
  usage: 'doctor',
  summary: 'tries address, version, clock, key, signature and money',
  help: `It moves no money and writes nothing but the keys of a hub that is met for the first time. Each
finding that is not well names the next step.
`,
  run: async (call) => {
    wordsOf(call);
    const home = await homeOf(call);
    const reader = createHub({ baseUrl: home.baseUrl, retry: false });
    const key = await keyOf(home);
    const patient: Patient = { home, reader };
    const address = await found('address', () => addressOf(patient));
    const findings = [address, key.finding];
    if (address.ok) {
      findings.push(await found('version', () => versionOf(patient)));
      findings.push(await found('clock', () => clockOf(patient)));
      findings.push(await found('hub keys', () => hubKeysOf(patient)));
      const { own } = key;
      if (own !== undefined) {
        findings.push(await found('signature', () => signatureOf(patient, own)));
        findings.push(await found('money', () => moneyOf(patient, own)));
      }
    }
    const isWell = findings.every(({ ok }) => ok);
    show(call, { ok: isWell, findings }, () => textOf(call, findings));
    return isWell ? 0 : address.ok ? 1 : 3;
  },
};

type Result = Omit<Finding, 'what'>;

async function found(what: string, look: () => Promise<Result>): Promise<Finding> {
  try {
    return { what, ...(await look()) };
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const todo = error instanceof HubFailure ? { todo: `${error.hint} (${error.link})` } : {};
    return { what, ok: false, says, ...todo };
  }
}

async function keyOf(
  home: Home,
): Promise<{ readonly finding: Finding; readonly own?: GeneratedKey }> {
  try {
    const own = await keys.load(home.keyFile);
    return { own, finding: { what: 'key', ok: true, says: `${own.account} in ${home.keyFile}` } };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const says = isMissing ? `there is none at ${home.keyFile}` : String(error);
    const todo = isMissing
      ? 'hub init makes one; --key FILE names another, a PEM as well'
      : 'chmod 600 makes it yours alone; --key FILE names another';
    return { finding: { what: 'key', ok: false, says, todo } };
  }
}

async function addressOf({ home, reader }: Patient): Promise<Result> {
  const { hub, baseUrl } = unwrap(await reader.GET('/api/v1'));
  const own = baseUrl.replace(/\/+$/, '');
  const [here, there] = [new URL(home.baseUrl).host, new URL(own).host];
  if (here === there) return { ok: true, says: `${hub} at ${home.baseUrl}` };
  const says = `it answers at ${here} and calls itself ${own}, which a signature covers`;
  return { ok: false, says, todo: `--hub ${own}, or HUB_BASE_URL of the hub` };
}

async function versionOf({ reader }: Patient): Promise<Result> {
  const { version, client } = unwrap(await reader.GET('/api/v1'));
  if (version === service.version) return { ok: true, says: `both speak ${version}` };
  const from = client === undefined ? 'the package of that version' : `npm install ${client.url}`;
  return { ok: false, says: `this is ${service.version}, the hub ${version}`, todo: from };
}

async function clockOf({ reader }: Patient): Promise<Result> {
  const before = Date.now();
  const { body } = unwrap(await reader.GET('/api/v1/time'));
  const off = Math.round((before + Date.now()) / 2 - body.unixMs);
  const side = off > 0 ? 'ahead of' : 'behind';
  const says = `${(Math.abs(off) / 1000).toFixed(1)} s ${side} the hub`;
  if (Math.abs(off) <= CLOCK_OFF_MS_MAX) return { ok: true, says };
  return { ok: false, says, todo: 'synchronise the clock of this machine' };
}

async function hubKeysOf({ home, reader }: Patient): Promise<Result> {
  await hubKeys({ hub: reader, home });
  return { ok: true, says: 'the hub has the keys that this folder met first' };
}

/** The operation is public, so a client does not sign it by itself. */
async function signatureOf({ home }: Patient, key: GeneratedKey): Promise<Result> {
  const url = `${home.baseUrl}/api/v1/quickstart/check`;
  const headers = { 'content-type': 'application/json' };
  const plain = new Request(url, { method: 'POST', headers, body: '{"hello":"hub"}' });
  const request = await signRequest(plain, signer(key));
  const hub = createHub({ baseUrl: home.baseUrl, retry: false, fetch: () => fetch(request) });
  const check = unwrap(await hub.POST('/api/v1/quickstart/check', { body: {} }));
  if (check.verified) return { ok: true, says: `the hub verified it for ${check.account ?? ''}` };
  const { detail = 'it was not verified' } = check.steps.find(({ ok }) => !ok) ?? {};
  return { ok: false, says: detail, ...(check.fix !== undefined && { todo: check.fix }) };
}

async function moneyOf({ home }: Patient, key: GeneratedKey): Promise<Result> {
  const hub = createHub({ baseUrl: home.baseUrl, key, retry: false });
  const { wallet } = unwrap(await hub.GET('/api/v1/me'));
  const waiting = await (await fileKeys(join(home.folder, 'pending'))).pending();
  const says = `${usdc(wallet.spendable)} ${wallet.asset} on ${wallet.network} to spend`;
  if (waiting.length === 0) return { ok: true, says };
  const open = `${says}, and ${waiting.length} calls without an answer`;
  return { ok: false, says: open, todo: 'hub resume finishes them, each once' };
}

function textOf(call: Call, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, ok, says, todo }) => {
    const mark = styled(call.io, ok ? 'green' : 'red', ok ? 'ok  ' : 'FAIL');
    const next = todo === undefined ? '' : `${' '.repeat(width + 8)}next: ${plain(todo)}\n`;
    return `${mark}  ${what.padEnd(width)}  ${plain(says)}\n${next}`;
  });
  return lines.join('');
}
