import { follow, isRefusal } from '../index.ts';
import { wordsOf, type Command } from './command.ts';
import { openSession } from './session.ts';
import { plain, show } from './show.ts';

/** `hub resume`: what was sent and never answered is sent again under its own idempotency key. */
export const resume: Command = {
  usage: 'resume',
  summary: 'finishes payments whose answer was lost; each happens once',
  run: async (call) => {
    wordsOf(call);
    const { hub, pending } = await openSession(call);
    const done: { readonly path: string; readonly outcome: string; readonly answer: unknown }[] =
      [];
    for (const kept of await pending.pending()) {
      const { path } = kept;
      try {
        done.push({ path, outcome: 'done', answer: await follow(hub, kept) });
      } catch (error) {
        if (!isRefusal(error) || error.call !== undefined) throw error;
        await pending.done(String(kept.body['idempotencyKey']));
        done.push({ path, outcome: error.code, answer: error.body });
      }
    }
    show(call, done, () =>
      done.length === 0
        ? 'Nothing is unfinished.\n'
        : done.map(({ path, outcome }) => `${plain(outcome)}  ${plain(path)}\n`).join(''),
    );
    return done.every(({ outcome }) => outcome === 'done') ? 0 : 1;
  },
};
