import type { KeyId } from '../../../domain/account.ts';
import { defined } from '../../../domain/defined.ts';
import { cursorText } from '../../../domain/eventCursor.ts';
import { iso } from '../../../domain/instant.ts';
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
  const { kind, at, subjectId, attemptId, ref, state, actor } = happening.event;
  return {
    kind,
    at: iso(at),
    ...aboutOf(kind, subjectId, ref),
    ...defined({ attemptId, state, actor }),
  };
}

type About = Partial<Schemas['AccountEvent']>;

/** Returns the subject of an event, under the member name of its kind. */
function aboutOf(kind: string, subjectId: string, ref: string | undefined): About {
  const [area = ''] = kind.split('.', 1);
  switch (area) {
    case 'listing':
    case 'report':
      return { agentId: subjectId, ...defined({ reportId: ref }) };
    case 'hosted':
      return { agentId: subjectId, ...defined({ callId: ref }) };
    case 'market':
      return { marketId: subjectId };
    case 'table':
      return { tableId: subjectId };
    case 'policy':
    case 'key':
      return { keyId: subjectId as KeyId };
    case 'approval':
      return { keyId: subjectId as KeyId, ...defined({ approvalId: ref }) };
    case 'judge':
      return { taskId: subjectId, ...defined({ roundId: ref }) };
    default:
      return { taskId: subjectId, ...defined({ commentId: ref }) };
  }
}
