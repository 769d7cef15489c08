import { reportsForOperator } from '../../db/registry/reports.ts';
import { iso } from '../../domain/instant.ts';
import { readSettings } from '../boot/config.ts';
import { inDatabase, printable, type Command } from './command.ts';

const SHOWN_MAX = 100;

/** `hubctl reports`: reports of listings that stand, beside a running hub; it changes nothing. */
export const reports: Command = async (words, env, print) => {
  if (words.length > 0) return undefined;
  return inDatabase(readSettings(env), print, async (store) => {
    const found = await store.readOne((db) => reportsForOperator(db, SHOWN_MAX));
    for (const { report, name, origin, openReports } of found) {
      const { id, at, listingId, reason, reporter, text, answer } = report;
      print(`${id}  ${iso(at)}  ${listingId}  ${openReports} open  ${reason}  ${reporter}\n`);
      print(`  ${printable(name)} at ${printable(origin)}\n`);
      if (text !== undefined) print(`  says ${printable(text)}\n`);
      if (answer !== undefined) print(`  its holder answered ${printable(answer.text)}\n`);
    }
    if (found.length === 0) print('no report stands\n');
    return 0;
  });
};
