import { openNotifications } from './notifications.ts';
import { openSqliteConnection } from './sqliteConnection.ts';
import { openSqliteLine } from './sqliteLine.ts';
import { openReaders } from './sqliteReaders.ts';
import { groupCommit, openWriterLine } from './sqliteWriter.ts';
import type { FilledOptions, Engine } from './engine.ts';
import type { Writer } from './connection.ts';
import { UnitOfWork } from './unitOfWork.ts';

/**
 * The writer runs the waiting units in order, each under its savepoint, commits once and then
 * answers all: one disk sync serves the group, and a failed unit rolls back alone (choices
 * store.sqlite). A unit that outlasts `unitMsMax` loses its connection after the rollback, so its
 * late statements run in no other unit. The writer waits for a statement that is under way.
 */
export async function openSqlite(path: string, options: FilledOptions): Promise<Engine> {
  const line = await openWriterLine(path, options);
  const readers = await Promise.all(
    Array.from({ length: options.readers }, () => openSqliteConnection(path, 'read')),
  );
  const topics = openNotifications(options.report);
  const groups = groupCommit(line);
  const pool = openReaders(readers);
  const beside = await openSqliteConnection(path, 'read');
  const single = await openSqliteConnection(path, 'read');
  const { ledger, passCounts, trace, report } = options;
  const publish = (topic: string): void => topics.publish(topic, true);
  const batches = openSqliteLine(groups, beside, { ledger, passCounts, trace, report, publish });
  const readSingle: Engine['readOne'] = (work) => {
    single.forget();
    return work(single);
  };
  return {
    dialect: 'sqlite',
    read: (work) => pool.use(work),
    readLagging: (work) => pool.use(work),
    readOne: readSingle,
    view: readSingle,
    write: <T>(work: (tx: Writer) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        groups.add({
          lost: reject,
          async run(writer) {
            const unit = new UnitOfWork(writer, options.ledger);
            const tooLong = (): void => {
              unit.close();
              writer.retire();
            };
            try {
              const result = await within(options.unitMsMax, work(unit), tooLong);
              return {
                failed: false,
                answer() {
                  resolve(result);
                  unit.committed(options.report);
                  for (const topic of unit.topics) publish(topic);
                },
              };
            } catch (error) {
              return { failed: true, answer: () => reject(error) };
            } finally {
              unit.close();
            }
          },
        });
      }),
    decide: (unit) => batches.add(unit),
    notify: publish,
    onPublish: (listener) => topics.listen(listener),
    async close() {
      await batches.close();
      await beside.close();
      await single.close();
      await groups.idle();
      await pool.close();
      await line.close();
    },
  };
}

/** Rejects after `ms`, after a call of `tooLong`. A late result of the work is discarded. */
function within<T>(ms: number, work: Promise<T>, tooLong: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      tooLong();
      reject(new Error(`a unit of work did not end within ${ms} ms`));
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
