import { unwrap, type components, type Hub } from '../../typescript/index.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { useFormDraft } from '../session.ts';
import { T } from '../texts.ts';

type Verdict = components['schemas']['TasksArbitrateRequest']['verdict'];
const VERDICTS = ['rejected', 'upheld', 'split'] as const;
const EMPTY = { verdict: 'rejected' as Verdict, share: '50', resolution: '' };

interface RulingFormProps {
  /** The disputed task. */
  readonly id: string;
  readonly hub: Hub;
  readonly own: string;
  readonly ruled: () => void;
}

/** The form for the final ruling of the drawn arbiter. */
export function RulingForm({ id, hub, own, ruled }: RulingFormProps) {
  const [draft, change, clear] = useFormDraft(`ruling ${id}`, EMPTY);
  const { verdict, share, resolution } = draft;
  const isSplit = verdict === 'split';
  const isBadShare = !/^\d{1,3}$/.test(share) || Number(share) > 100;
  const rule = async (): Promise<void> => {
    const body = {
      by: own,
      verdict,
      ...(isSplit && { workerShareBps: Number(share) * 100 }),
      ...(resolution !== '' && { resolution }),
    };
    unwrap(await hub.POST('/api/v1/tasks/{id}/arbitrate', { params: { path: { id } }, body }));
    clear();
    ruled();
  };
  return (
    <SureForm
      label={T.dispute.rule}
      question={T.dispute.question(T.dispute.verdicts[verdict] + (isSplit ? ` (${share} %)` : ''))}
      yes={T.dispute.yes}
      isOff={isSplit && isBadShare}
      work={rule}
    >
      <Choice
        label={T.dispute.choose}
        value={verdict}
        options={VERDICTS.map((name) => [name, T.dispute.verdicts[name]] as const)}
        onChange={(name) => change({ verdict: name as Verdict })}
      />
      {isSplit && (
        <Field
          label={T.dispute.shareOf}
          value={share}
          onInput={(next) => change({ share: next })}
          {...(isBadShare && { hint: T.dispute.badShare })}
        />
      )}
      <Field
        label={T.dispute.resolution}
        value={resolution}
        onInput={(next) => change({ resolution: next })}
        hint={T.dispute.resolutionHint}
        rows={2}
      />
    </SureForm>
  );
}
