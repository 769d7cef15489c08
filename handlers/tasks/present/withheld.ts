import { briefDigest, isPartyOf, isPrivate } from '../../../domain/tasks/privacy.ts';
import type { Task } from '../../../domain/tasks/model.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { PRIVATE_TEXT, type Reading } from '../../../workflows/tasks/readers.ts';

type Shown = Schemas['Task'];
type Detail = Pick<Schemas['TaskDetail'], 'workers' | 'history' | 'panels'>;

/** A presented task without its brief, where the reader is no party of it. */
export function withoutBrief<T extends Shown>(
  shown: T,
  task: Task,
  { seesBrief }: Pick<Reading, 'seesBrief'>,
): T {
  if (!isPrivate(task) || seesBrief) return shown;
  const { input: _input, files: _files, clarifications: _clarifications, ...more } = shown;
  const { acceptance, target: _target, ...rest } = more;
  const withheld = {
    digest: briefDigest(task),
    ...(acceptance !== undefined && { rule: acceptance.kind }),
    ...(task.files !== undefined && { files: task.files.length }),
  };
  return { ...rest, description: PRIVATE_TEXT, withheld } as T;
}

/** A change of a private task's terms without the text that it adds to the brief. */
export function withoutClarification(
  shown: Schemas['Amendment'],
  task: Task,
  { seesBrief }: Pick<Reading, 'seesBrief'>,
): Schemas['Amendment'] {
  if (!isPrivate(task) || seesBrief || shown.change?.clarification === undefined) return shown;
  return { ...shown, change: { ...shown.change, clarification: PRIVATE_TEXT } };
}

/** The reasons and notes that a reader of a private task may read: all, or those of its own work. */
export function withoutReasons(
  { workers, history, panels }: Detail,
  task: Task,
  { by, seesAll }: Pick<Reading, 'by' | 'seesAll'>,
): Detail {
  if (!isPrivate(task) || seesAll) return { workers, history, panels };
  const own = new Set(workers.flatMap((each) => (each.worker === by ? [each.id] : [])));
  return {
    workers: workers.map((each) => (own.has(each.id) ? each : withoutOwnWords(each))),
    history: history.map(({ note, ...each }) =>
      own.has(each.attemptId ?? '') || (by !== undefined && each.actor === by)
        ? { ...each, note }
        : each,
    ),
    panels: panels?.map((panel) =>
      own.has(panel.attemptId)
        ? panel
        : { ...panel, judges: panel.judges.map(({ reason: _, ...judge }) => judge) },
    ),
  };
}

function withoutOwnWords({ reason: _, progress, ...each }: Schemas['Attempt']): Schemas['Attempt'] {
  if (progress === undefined) return each;
  const { note: _note, ...counted } = progress;
  return { ...each, progress: counted };
}

/** A dispute without its words for everybody but the sides and the judges. */
export function withoutWords(
  shown: Schemas['Dispute'],
  task: Task,
  side: Parameters<typeof isPartyOf>[1] | undefined,
  { by, seesAll }: Pick<Reading, 'by' | 'seesAll'>,
): Schemas['Dispute'] {
  const isSide = side !== undefined && isPartyOf(task, side, by);
  if (!isPrivate(task) || seesAll || isSide) return shown;
  const { resolution, ...rest } = shown;
  return {
    ...rest,
    reason: PRIVATE_TEXT,
    ...(resolution !== undefined && { resolution: PRIVATE_TEXT }),
  };
}
