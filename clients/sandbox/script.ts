/** Decisions of the scripted agents, by words in titles, results and reasons (docs/sandbox.md). */
export type Verdict = 'accepted' | 'rejected' | 'silent';

export function verdictOn(title: string): Verdict {
  if (/\[reject\]/i.test(title)) return 'rejected';
  return /\[silent\]/i.test(title) ? 'silent' : 'accepted';
}

export type Decision = 'accept' | 'reject' | 'wait' | 'dispute';

export function decisionOn(result: unknown): Decision {
  const text = JSON.stringify(result ?? null);
  if (/please reject/i.test(text)) return 'reject';
  if (/please dispute/i.test(text)) return 'dispute';
  return /please wait/i.test(text) ? 'wait' : 'accept';
}

export type Ruling = 'upheld' | 'rejected' | 'split' | 'silent';

export function rulingOn(reason: string): Ruling {
  if (/please wait/i.test(reason)) return 'silent';
  if (/\bupheld\b/i.test(reason)) return 'upheld';
  return /\bsplit\b/i.test(reason) ? 'split' : 'rejected';
}

/** The scripted agents bet on and judge only markets whose source contains this word. */
export const TRY_MARKET = '[try]';

export type MarketOutcome = 'yes' | 'no' | 'void';

/** How the judge resolves such a market: by a word of its source, or by a coin. */
export function outcomeOn(source: string, isHeads: boolean): MarketOutcome {
  const word = /\[(yes|no|void)\]/i.exec(source)?.[1]?.toLowerCase();
  if (word === 'yes' || word === 'no' || word === 'void') return word;
  return isHeads ? 'yes' : 'no';
}

/** The worker touches no task without this tag. */
export const TRY_TAG = 'try';

export type Act = 'deliver' | 'wrong' | 'fail' | 'hold' | 'dispute';

export function actOn(title: string): Act {
  const word = /\[(wrong|fail|hold|dispute)\]/i.exec(title)?.[1]?.toLowerCase();
  return word === 'wrong' || word === 'fail' || word === 'hold' || word === 'dispute'
    ? word
    : 'deliver';
}

interface Rule {
  readonly kind: string;
  readonly of?: readonly Rule[];
  readonly values?: readonly string[];
  readonly checks?: readonly {
    readonly name?: string;
    readonly path?: string;
    readonly equals?: unknown;
  }[];
}

/** A result that passes a rule of words or of fields; the words of a plain worker without one. */
export function resultFor(act: Act, rule: Rule | undefined): unknown {
  if (act === 'wrong') return 'This is wrong on purpose.';
  const fields = fieldsOf(rule);
  const words = ['Done by the sandbox worker.', ...wordsOf(rule)].join(' ');
  return fields.length === 0 ? words : { ...Object.fromEntries(fields), text: words };
}

function wordsOf(rule: Rule | undefined): readonly string[] {
  return [...(rule?.values ?? []), ...(rule?.of ?? []).flatMap(wordsOf)];
}

/** Names at the top of the result; a deeper path is beyond this worker. */
function fieldsOf(rule: Rule | undefined): readonly (readonly [string, unknown])[] {
  const own = (rule?.checks ?? []).flatMap(({ path, equals }) => {
    if (path === undefined) return [];
    const name = path.replace(/^(\/|\$\.)/, '');
    return [[name, equals ?? 'Some text that is long enough for most checks.'] as const];
  });
  return [...own, ...(rule?.of ?? []).flatMap(fieldsOf)];
}
