import { cursorText } from '../../../domain/eventCursor.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { EventsPage } from '../../../workflows/wallet/events.ts';
import { presentHappening } from '../../../workflows/wallet/present.ts';
import { cursorNamed } from '../../page.ts';
import { UNTRUSTED_TEXTS } from '../../untrusted.ts';

export function presentEvents(
  { happenings, cursor, more, dropped }: EventsPage,
  limit: number,
): Schemas['AccountEvents'] {
  return {
    count: happenings.length,
    events: happenings.map(presentHappening),
    limit,
    hasMore: more,
    ...cursorNamed(cursorText(cursor)),
    ...(dropped > 0 && { dropped }),
    ...UNTRUSTED_TEXTS,
  };
}
