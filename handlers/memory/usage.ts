import { readStorage } from '../../db/memory/storage.ts';
import {
  FILES_BYTES_PER_ACCOUNT_MAX,
  NOTES_PER_ACCOUNT_MAX,
  rentPerDay,
  SPACES_PER_ACCOUNT_MAX,
} from '../../domain/memory/limits.ts';
import { rentDayBegins } from '../../domain/memory/rent.ts';
import { storedBytes, type Storage } from '../../domain/memory/storage.ts';
import { display } from '../../domain/money.ts';
import type { Account } from '../../domain/account.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';

export const usage: Handler<'memory.usage'> = async ({ path: { owner } }, hub) => {
  const storage = (await hub.store.readOne((db) => readStorage(db, owner))) ?? nothing(owner);
  const { spaces, notes, noteBytes, notesWritten, files, fileBytes, paidDay, readOnly } = storage;
  const perDay = rentPerDay(storedBytes(storage));
  return {
    status: 200,
    body: {
      owner,
      spaces,
      notes,
      noteBytes,
      files,
      fileBytes,
      perDay: {
        amount: perDay,
        display: display(perDay),
        asset: ASSET,
        network: hub.settings.network,
      },
      ...(paidDay !== undefined && { paidThrough: rentDayBegins(paidDay + 1) }),
      readOnly,
      quota: {
        notesWritten,
        notesLeft: NOTES_PER_ACCOUNT_MAX - notesWritten,
        spacesLeft: SPACES_PER_ACCOUNT_MAX - spaces,
        fileBytesLeft: FILES_BYTES_PER_ACCOUNT_MAX - fileBytes,
      },
    },
  };
};

function nothing(account: Account): Storage {
  const counts = { spaces: 0, notes: 0, noteBytes: 0, notesWritten: 0, files: 0, fileBytes: 0 };
  return { account, ...counts, settledDay: 0, readOnly: false };
}
