import '../../harness/withoutRunner.ts';
import { openEngine, type Engine } from './engine.ts';
import type { Order, Report } from './crashableProcess.ts';

/** A hub that its parent may kill. Opening is an order too, so a child is loaded ahead of need. */
let engine: Engine | undefined;

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === 'open') {
    engine = await openEngine(order.options);
    return engine.url;
  }
  if (engine === undefined) throw new Error('no hub is open');
  switch (order.do) {
    case 'advance':
      return engine.advance(order.seconds);
    case 'call':
      return engine.call(order.account, order.request);
    case 'runJob':
      return engine.runJob(order.name);
    case 'isOut':
      return engine.isOut(order.attemptId, order.account);
    case 'peek':
      return engine.peek();
    case 'audit':
      return engine.audit();
    case 'close':
      return engine.close();
  }
}

function report(message: Report): void {
  process.send?.(message);
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (value) => report({ id: order.id, value }),
    (error: unknown) => report({ id: order.id, failed: stackOf(error) }),
  );
});
process.once('disconnect', () => process.exit());
report({ id: 0, value: 'ready' });

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
