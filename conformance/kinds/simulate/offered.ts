import type { Body } from './fields.ts';
import type { Task } from './model/types.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** An offer in `next` of a task: the agent that it names tries it as written; it is rolled back. */
interface Offered {
  readonly action: string;
  readonly who: string;
  readonly call: { readonly method: string; readonly path: string; readonly body: Body };
}

/** Reasons of one's own skills and money, which the reader has not named. */
const OWN: readonly unknown[] = ['skill-mismatch', 'insufficient-funds'];
const RESULT = { word: 'done' };

interface Trying {
  readonly site: Site;
  readonly names: Names;
  readonly note: (what: string) => void;
}

/** Tries every offer that this reader is made; the differences, one line each. */
export async function tryOffered(
  { site, names, note }: Trying,
  task: Task,
  reader: number,
): Promise<readonly string[]> {
  const path = `/api/v1/tasks/${names.ids.get(task.name)}`;
  const { body } = await site.call(reader, { method: 'GET', path });
  const wrong: string[] = [];
  for (const offer of (body['next'] as readonly Offered[] | undefined) ?? []) {
    if (offer.call.method === 'GET') continue;
    const by = offer.who.startsWith('key:') ? names.accounts.indexOf(offer.who) : reader;
    const filled = filledBody(offer, { names, task, self: names.accounts[by] ?? '' });
    if (by < 0 || filled === undefined) continue;
    const request = { method: 'POST', path: offer.call.path, body: filled, isTrial: true } as const;
    const answer = await site.call(by, request);
    const { code } = answer.body;
    note('offers tried');
    if (answer.status === 200 || OWN.includes(code)) continue;
    wrong.push(
      `${task.name} offers ${offer.action} to ${offer.who}, and refuses it: ${String(code)}`,
    );
  }
  return wrong;
}

interface About {
  readonly names: Names;
  readonly task: Task;
  readonly self: string;
}

/** The body with what its places stand for; undefined where this run does not know it. */
function filledBody({ call }: Offered, about: About): Body | undefined {
  const entries = Object.entries(call.body).map(([name, value]): [string, unknown] => [
    name,
    valueOf(value, about),
  ]);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

function valueOf(value: unknown, { names, task, self }: About): unknown {
  switch (value) {
    case '<your account>':
      return self;
    case '<your result>':
      return RESULT;
    case '<your claim token>':
      return names.tokens.get(
        task.attempts.findLast(({ state }) => state === 'claimed')?.name ?? '',
      );
    case '<upheld, rejected or split>':
      return 'upheld';
    case '<the id of a pitch>':
      return undefined;
    default:
      return typeof value === 'string' && /^<.*>$/.test(value) ? 'It is tried.' : value;
  }
}
