import type { components } from '../../../generated/types.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad, useSettled } from '../load.ts';
import { Field } from '../parts/fields.tsx';
import { Badge } from '../parts/shown.tsx';
import { Failure } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { publishTexts as P } from '../texts/publish.ts';
import type { Rule } from '../types.ts';
import { wantsJson } from '../work/rule.tsx';
import { jsonOr } from './conditions.ts';
import type { TaskDraft } from './draft.ts';

type Verdict = components['schemas']['Rehearsal']['verdicts'][number];
const SAMPLES = ['good', 'bad'] as const;
const TYPING_MS = 300;

/** Two results of one's own, judged by the rule exactly as a delivery would be, while one types. */
interface RehearsalProps {
  readonly rule: Rule | undefined;
  readonly samples: Pick<TaskDraft, (typeof SAMPLES)[number]>;
  readonly onChange: (change: Partial<TaskDraft>) => void;
}

export function Rehearsal({ rule, samples, onChange }: RehearsalProps) {
  const readings = SAMPLES.map((name) => readingOf(samples[name], rule));
  const results = readings.flatMap((reading) => ('result' in reading ? [reading.result] : []));
  const typed = JSON.stringify([rule ?? null, results]);
  const asked = useSettled(typed, TYPING_MS);
  const judged = useLoad(`rehearse ${asked}`, (signal) => judge(asked, signal));
  // While one types on, a verdict would stand beside a result that it is not about.
  const verdicts = asked === typed ? [...(judged.value ?? [])] : [];
  return (
    <>
      {SAMPLES.map((name, at) => {
        const reading = readings[at];
        const verdict = reading?.state === 'sent' ? verdicts.shift() : undefined;
        return (
          <div key={name}>
            <Field
              label={P.samples[name]}
              value={samples[name]}
              onInput={(text) => onChange({ [name]: text })}
              rows={2}
            />
            <div role="status">
              {reading?.state === 'not-json' && <p class="quiet">{P.sampleNotJson}</p>}
              {verdict !== undefined && <VerdictOf verdict={verdict} wanted={name === 'good'} />}
            </div>
          </div>
        );
      })}
      {judged.error !== undefined && <Failure error={judged.error} retry={judged.reload} />}
    </>
  );
}

type Reading =
  { readonly state: 'sent'; readonly result: unknown } | { readonly state: 'none' | 'not-json' };

/** A sample as a worker would send it: JSON where the rule reads members, else text. */
function readingOf(text: string, rule: Rule | undefined): Reading {
  if (text === '' || rule === undefined) return { state: 'none' };
  if (!wantsJson(rule)) return { state: 'sent', result: text };
  const result = jsonOr(text, undefined);
  return result === undefined ? { state: 'not-json' } : { state: 'sent', result };
}

/** Asks the hub a question that is written as text, so that equal ones are asked once. */
async function judge(asked: string, signal: AbortSignal): Promise<readonly Verdict[]> {
  const [acceptance, results] = JSON.parse(asked) as [Rule | null, unknown[]];
  if (acceptance === null || results.length === 0) return [];
  const body = { acceptance, results };
  return unwrap(await reader.POST('/api/v1/tasks/rehearse', { body, signal })).verdicts;
}

interface VerdictProps {
  readonly verdict: Verdict;
  /** Whether this sample is meant to pass. */
  readonly wanted: boolean;
}

function VerdictOf({ verdict: { accepted, refused = [] }, wanted }: VerdictProps) {
  return (
    <>
      <p>
        <Badge tone={accepted === wanted ? 'good' : 'bad'}>
          {accepted ? P.wouldPass : P.wouldFail}
        </Badge>{' '}
        {accepted !== wanted && P.notAsMeant}
      </p>
      {refused.length > 0 && (
        <ul class="quiet">
          {refused.map(({ path, text }) => (
            <li key={path + text}>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
}
