import { CLOCKWORK, isDue, nextDue, settleDue } from './clock.ts';
import { loanClock, refill } from './loans.ts';
import { followAll } from './model.ts';
import { movePanels, panelTimes } from './panels.ts';
import { probeSeats } from './seats.ts';
import type { Model } from './types.ts';

/** Runs a job once; the calls of judges are in `panels.ts`. */
export function runJob(model: Model, name: string): void {
  const kind = CLOCKWORK.find((each) => each === name);
  if (kind !== undefined) {
    const due = [...model.tasks.values()].filter((task) => isDue(model, task));
    for (const task of due.filter((each) => nextDue(each)?.job === kind)) settleDue(model, task);
  }
  if (name === 'panels') movePanels(model);
  if (name === 'loanCollection') loanClock(model);
  if (name === 'creditRefill') refill(model);
  if (name === 'seatProbes') probeSeats(model);
  followAll(model);
}

export function isBusy(model: Model): boolean {
  const tasks = [...model.tasks.values()];
  const isNow = (at: number): boolean => at <= model.now;
  return (
    tasks.some((task) => isDue(model, task) || panelTimes(task).some(isNow)) ||
    model.agents.some(({ seat }) => isNow(seat?.probeAt ?? Infinity))
  );
}
