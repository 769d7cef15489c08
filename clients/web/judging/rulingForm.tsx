import type { components } from '../../../generated/types.ts';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { workTexts } from '../texts/work.ts';

type Verdict = components['schemas']['TasksArbitrateRequest']['verdict'];
const VERDICTS = ['rejected', 'upheld', 'split'] as const;
const EMPTY = { verdict: 'rejected' as Verdict, share: '50', resolution: '' };

interface RulingFormProps {
  readonly id: string;
  readonly hub: Hub;
  readonly own: string;
  readonly ruled: () => void;
}

export function RulingForm({ id, hub, own, ruled }: RulingFormProps) {
  const [draft, change, clear] = useFormDraft(`ruling ${id}`, EMPTY);
  const { verdict, share, resolution } = draft;
  const isSplit = verdict === 'split';
  const isBadShare = !/^\d{1,3}$/.test(share) || Number(share) > 100;
  const press = usePress(hub, {
    form: `ruling ${id}`,
    what: workTexts.dispute.rulingOf(workTexts.dispute.verdicts[verdict]),
    work: async (once) => {
      const body = {
        by: own,
        verdict,
        ...(isSplit && { workerShareBps: Number(share) * 100 }),
        ...(resolution !== '' && { resolution }),
      };
      unwrap(await once.POST('/api/v1/tasks/{id}/arbitrate', { params: { path: { id } }, body }));
      clear();
      ruled();
    },
  });
  return (
    <SureForm
      label={workTexts.dispute.rule}
      question={workTexts.dispute.question(
        workTexts.dispute.verdicts[verdict] + (isSplit ? ` (${share} %)` : ''),
      )}
      yes={workTexts.dispute.yes}
      isOff={isSplit && isBadShare}
      press={press}
    >
      <Choice
        label={workTexts.dispute.choose}
        value={verdict}
        options={VERDICTS.map((name) => [name, workTexts.dispute.verdicts[name]] as const)}
        onChange={(name) => change({ verdict: name as Verdict })}
      />
      {isSplit && (
        <Field
          label={workTexts.dispute.shareOf}
          value={share}
          onInput={(next) => change({ share: next })}
          {...(isBadShare && { hint: workTexts.dispute.badShare })}
        />
      )}
      <Field
        label={workTexts.dispute.resolution}
        value={resolution}
        onInput={(next) => change({ resolution: next })}
        hint={workTexts.dispute.resolutionHint}
        rows={2}
      />
    </SureForm>
  );
}
