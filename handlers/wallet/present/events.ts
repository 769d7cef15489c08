import { defined } from '../../../domain/defined.ts';
import { cursorText } from '../../../domain/eventCursor.ts';
import { iso } from '../../../domain/instant.ts';
import { TASK_STATES } from '../../../domain/task/model.ts';
import type { components } from '../../../generated/types.ts';
import type { EventsPage, Happening } from '../../../workflows/wallet/events.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';
import { presentEntry } from './statement.ts';

type Schemas = components['schemas'];

export function presentEvents(
  { happenings, cursor, more, dropped }: EventsPage,
  limit: number,
): Schemas['AccountEvents'] {
  return {
    count: happenings.length,
    events: happenings.map(presentHappening),
    limit,
    hasMore: more,
    next: cursorText(cursor),
    ...(dropped > 0 && { dropped }),
    ...UNTRUSTED_TEXTS,
  };
}

function presentHappening(happening: Happening): Schemas['AccountEvent'] {
  if (happening.is === 'entry') {
    const { network, entry } = happening;
    const kind = `money.${entry.direction}`;
    return { kind, at: iso(entry.at), network, entry: presentEntry(entry) };
  }
  const { kind, at, taskId, attemptId, ref, actor } = happening.event;
  const state = TASK_STATES.find((each) => each === happening.event.state);
  return {
    kind,
    at: iso(at),
    taskId,
    ...defined({ attemptId }),
    ...(ref !== undefined && (kind === 'judge.drawn' ? { roundId: ref } : { commentId: ref })),
    ...defined({ state, actor }),
  };
}
