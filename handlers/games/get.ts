import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDue } from '../../workflows/games/settleDue.ts';
import { CONTENT_NOTE, GAMES, presentGame } from './present.ts';

export const get: Handler<'games.get'> = async (call, hub) => {
  const id = GAMES.find((each) => each === call.path.game);
  if (id === undefined) {
    return refuse('not-found', {
      error: `There is no game named ${JSON.stringify(call.path.game)}.`,
      hint: `Games: ${GAMES.join(', ')}; GET /api/v1/games describes them.`,
    });
  }
  await settleDue(hub);
  const game = await hub.store.read((db) => presentGame(db, id));
  return { status: 200, body: { game, contentIsUntrusted: true, contentNote: CONTENT_NOTE } };
};
