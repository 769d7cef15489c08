import { readListing } from '../../db/registry/listings.ts';
import { probesOf } from '../../db/registry/probes.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingNamed, noSuchListing } from '../../workflows/registry/found.ts';
import { presentRecord, recordTag } from '../../workflows/registry/present/record.ts';
import { textReply } from '../textReply.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { encode } from '../../workflows/kernel/encode.ts';

/** The end of every record, behind its stored text. */
const END = `,${JSON.stringify(UNTRUSTED_LISTINGS).slice(1)}`;

/** The whole record: the stored text, or made from the rows where that is missing or outdated. */
export const get: Handler<'registry.get'> = async ({ path }, hub) => {
  const stored = await hub.listingTexts.record(path.id);
  if (stored !== undefined) {
    return recordReply(stored.text, stored.tag);
  }
  const found = await hub.store.read(async (db) => {
    const full = await readListing(db, await listingNamed(db, path.id));
    if (full === undefined) return undefined;
    const { id } = full.listing;
    return { full, looks: (await probesOf(db, [id])).get(id) ?? [] };
  });
  if (found === undefined) return noSuchListing(path.id);
  const shown = presentRecord(found.full, found.looks, hub.clock.now());
  const record = JSON.stringify(encode('AgentListing', shown));
  return recordReply(record, recordTag(record));
};

function recordReply(record: string, tag: string) {
  return textReply<Schemas['AgentListing']>(record.slice(0, -1) + END, tag);
}
