import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDue } from '../../workflows/games/settleDue.ts';
import { CONTENT_NOTE, GAMES, presentGame } from './present.ts';

export const list: Handler<'games.list'> = async (_call, hub) => {
  await settleDue(hub);
  return hub.store.read(async (db) => {
    const games = [];
    for (const id of GAMES) games.push(await presentGame(db, id));
    return {
      status: 200,
      body: { count: games.length, games, contentIsUntrusted: true, contentNote: CONTENT_NOTE },
    };
  });
};
