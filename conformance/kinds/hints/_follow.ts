import assert from 'node:assert/strict';
import type { Agent, Answer } from '../../harness/agents.ts';
import { followHint } from '../../harness/follow.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { callsOf, leadsOn } from '../../harness/hints.ts';
import { at } from '../../harness/must.ts';
import type { Body } from '../../tasks/_work.ts';

/** A refusal that a real request met, and what follows when its hint is taken at its word. */
export interface Met {
  readonly by: Pick<Agent, 'get' | 'post'>;
  readonly answer: Answer;
  /** The advice that the hint must contain. */
  readonly says: RegExp;
  /** Does that, with the values of the refusal alone; what is asked for then is answered. */
  readonly helps: (refusal: Body, hint: string) => Promise<Answer>;
}
export type Meet<World extends Fixture = Fixture> = (world: World) => Promise<Met>;
export type Meets<World extends Fixture = Fixture> = Readonly<Record<string, Meet<World>>>;

/** A key is a code, or an operation, its code and where it was met. */
const OF_OPERATION = /^[a-z]+\.\w+ ([\w-]+)/;
const SUITE_MS_MAX = 240_000;

/** Each code is met by agents who are new to the hub; `purse` is what each has. */
export function followed<World extends Fixture>(
  title: string,
  { meets, open, purse }: Followed<World>,
): void {
  describe(`hints of ${title}`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: World;
    before(async () => {
      world = await open();
    });
    after(() => world.close());
    for (const [key, meet] of Object.entries(meets)) {
      it(`lead on from ${key}`, async () => {
        const code = OF_OPERATION.exec(key)?.[1] ?? key;
        const [alice, bob] = [await world.agent(), await world.agent()];
        if (purse !== undefined) {
          for (const agent of [alice, bob]) await world.fund(agent, purse);
        }
        const { by, answer, says, helps } = await meet({ ...world, alice, bob });
        const hint = String(answer.body['hint']);
        assert.equal(answer.body['code'], code, answer.text);
        assert.match(hint, says);
        assert.ok(leadsOn(hint), hint);
        await followHint(by, answer);
        const helped = await helps(answer.body, hint);
        assert.equal(helped.status, 200, `${hint} -> ${helped.text}`);
      });
    }
  });
}

interface Followed<World extends Fixture> {
  readonly meets: Meets<World>;
  readonly open: () => Promise<World>;
  readonly purse?: string;
}

/** The first value of `allowed`. */
export function firstAllowed(refusal: Body): string {
  const [first] = refusal['allowed'] as readonly string[];
  assert.ok(first !== undefined, JSON.stringify(refusal));
  return first;
}

/** A refusal of the compatible door in the form of all others. */
export function unnested(answer: Answer): Answer {
  return { ...answer, body: at(answer.body, 'error') as Record<string, unknown> };
}

/** The path of the first call of a hint that ends so. */
export function firstCall(hint: string, end: RegExp): string {
  const found = callsOf(hint).find(({ path }) => end.test(path));
  assert.ok(found !== undefined, hint);
  return found.path;
}
