import type { AcceptanceRule, Refusal, Verdict } from '../../domain/acceptance/rule.ts';
import { isObject, type JsonObject } from '../../domain/jsonObject.ts';
import { whyNotJudged } from '../../domain/registry/promise.ts';
import type { Ending } from '../../domain/router/ending.ts';
import type { Unmet } from '../../domain/router/receipt.ts';
import { withoutAnswer } from '../../domain/router/unmetRule.ts';
import { shorten } from '../../domain/text.ts';
import { ChecksBusy, ChecksFault, type Asker } from '../kernel/checks/checks.ts';
import type { Hub } from '../kernel/hub.ts';
import type { CallUnderWay } from './begin.ts';
import type { Ended } from './remember.ts';

/**
 * Holds an answer against what was promised, before anything is charged (choices router.refunds):
 * the output schema that was listed when its price was held, and the rule that came along. A
 * payment on the chain cannot be taken back, so its answer is not judged.
 */
export async function judgedEnd(
  hub: Hub,
  underWay: CallUnderWay,
  ended: Ended,
  { accept, from }: Wishes,
): Promise<Ended> {
  const { ending } = ended;
  if (ending.end !== 'served' || underWay.upstream !== undefined) return ended;
  try {
    const judged = await judge(hub, underWay, ending, { accept, from });
    return judged === undefined ? ended : { ...ended, ending: judged };
  } catch (error) {
    if (!(error instanceof ChecksBusy) && !(error instanceof ChecksFault)) throw error;
    const message = 'The hub could not check its answer now, so nothing was charged.';
    return { ...ended, ending: { end: 'not-called', message } };
  }
}

interface Wishes {
  readonly accept: AcceptanceRule | undefined;
  readonly from: Asker;
}

type Served = Extract<Ending, { readonly end: 'served' }>;

async function judge(
  hub: Hub,
  { candidate, receipt }: CallUnderWay,
  { result, empty }: Served,
  { accept, from }: Wishes,
): Promise<Ending | undefined> {
  const isPaid = receipt.hold !== undefined && !empty;
  const structured = isObject(result) ? result['structuredContent'] : undefined;
  const { promised } = candidate;
  if (isPaid && promised !== undefined && whyNotJudged(promised) === undefined) {
    const verdict = await bySchema(hub, promised, { structured, from });
    const broken = unmet('output-schema', verdict, 'the output schema of its tool');
    if (broken !== undefined) return { ...broken, result };
  }
  if (accept === undefined) return undefined;
  const judged = structured ?? result;
  const verdict = await hub.checks.judge(accept, judged, from);
  const reported = verdict.accepted
    ? verdict
    : { ...verdict, refused: withoutAnswer(accept, judged, verdict.refused) };
  const broken = unmet('acceptance', reported, 'your rule');
  // An answer that is not paid for is not handed over: a rule that nothing meets would get it free.
  return broken && (isPaid ? broken : { ...broken, result });
}

/** A promise is kept: an answer that cannot be held against it, being too costly, is not paid for. */
async function bySchema(
  hub: Hub,
  schema: JsonObject,
  { structured, from }: { readonly structured: unknown; readonly from: Asker },
): Promise<Verdict> {
  const compiled = await hub.checks.compile({ kind: 'json_schema', schema }, from);
  if (!('ok' in compiled)) return { accepted: false, refused: [notJudged(compiled.why)] };
  return hub.checks.judge(compiled.rule, structured ?? null, from);
}

const WHY_CHARS_MAX = 200;

function notJudged(why: string): Refusal {
  const expected = 'an output schema that can be judged';
  const text = `the schema cannot be judged, since it ${shorten(why, WHY_CHARS_MAX)}`;
  return { path: '', rule: 'json_schema', expected, got: 'one that cannot', text };
}

function unmet(by: Unmet['by'], verdict: Verdict, what: string) {
  if (verdict.accepted) return undefined;
  const [first] = verdict.refused;
  const message = `Its answer breaks ${what}, so nothing was charged: ${first?.text ?? ''}`;
  return { end: 'unmet', by, refused: verdict.refused, message } as const;
}
