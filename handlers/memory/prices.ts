import { DIMENSIONS } from '../../domain/memory/embedding.ts';
import { DIMENSIONS_MAX } from '../../domain/models/embedding.ts';
import * as limit from '../../domain/memory/limits.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';

export const prices: Handler<'memory.prices'> = (_, { settings: { network } }) =>
  Promise.resolve({
    status: 200,
    body: {
      asset: ASSET,
      network,
      note: { write: limit.NOTE_PRICE },
      search: { each: limit.SEARCH_PRICE },
      file: {
        writeBase: limit.FILE_WRITE_BASE,
        writePerMegabyte: limit.FILE_WRITE_PER_MEGABYTE,
        readBase: limit.FILE_READ_BASE,
        readPerMegabyte: limit.FILE_READ_PER_MEGABYTE,
      },
      rent: {
        perMegabyteDay: limit.RENT_PER_MEGABYTE_DAY,
        chargedAt: '00:05 UTC',
        whenShort:
          'The account becomes read-only: notes and files are kept and can be read and searched, nothing is written, no arrears accrue. A deposit and a write, or the next day that can be paid, lifts it.',
      },
      space: '0',
      limits: {
        noteBytes: limit.NOTE_BYTES_MAX,
        notesPerAccount: limit.NOTES_PER_ACCOUNT_MAX,
        keyChars: limit.NOTE_KEY_CHARS_MAX,
        embeddingDimensions: DIMENSIONS,
        embeddingDimensionsMax: DIMENSIONS_MAX,
        searchResultsDefault: limit.SEARCH_RESULTS_DEFAULT,
        searchResults: limit.SEARCH_RESULTS_MAX,
        searchTextChars: limit.SEARCH_TEXT_CHARS_MAX,
        spacesPerAccount: limit.SPACES_PER_ACCOUNT_MAX,
        grantsPerSpace: limit.GRANTS_PER_SPACE_MAX,
        fileBytes: limit.FILE_BYTES_MAX,
        filesBytesPerAccount: limit.FILES_BYTES_PER_ACCOUNT_MAX,
      },
    },
  });
