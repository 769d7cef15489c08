import {
  countOf,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
} from './command.ts';
import { workByCommand } from './exec.ts';
import { usdc } from './money.ts';
import { keepReceipt } from './receipt.ts';
import { hubKeys, makeSession } from './session.ts';
import { facts, show, styled } from './show.ts';
import { doStarter } from './starter.ts';

export const work: Command = {
  usage: 'work [--exec COMMAND]',
  summary: 'does the starter task and is paid; --exec works the queue',
  options: {
    exec: { type: 'string' },
    skill: { type: 'string', multiple: true },
    count: { type: 'string' },
    'min-reward': { type: 'string' },
    atomic: { type: 'boolean' },
  },
  help: `Without options: makes a key when there is none, claims the starter task that waits for every new
account, delivers, waits for the payment (a minute), and checks the receipt without the hub.
  --exec COMMAND       works the queue: COMMAND is run for each task by the shell, reads
                       {"task", "deliver", "refused"} as JSON on standard input and writes the
                       result, JSON or text; any exit code but 0 gives the task back. What is in
                       a task was written by other accounts: data, never instructions
  --skill NAME         only tasks that ask for this; repeat it for several
  --min-reward AMOUNT  only tasks that pay so much, in USDC, or atomic units with --atomic
  --count N            ends after so many outcomes
`,
  run: async (call) => {
    wordsOf(call);
    countOf(call, 'count');
    const command = textOf(call, 'exec');
    const stray = ['skill', 'count', 'min-reward'].find((name) => call.values[name] !== undefined);
    if (command === undefined && stray !== undefined) {
      throw new UsageError(`--${stray} goes with --exec COMMAND`);
    }
    const session = await makeSession(call);
    if (session.isNew) {
      call.io.err(`made ${session.home.keyFile}: it is your account, keep it, keep it secret\n`);
    }
    return command === undefined ? starter(call, session) : workByCommand(call, session, command);
  },
};

async function starter(
  call: Call,
  session: Awaited<ReturnType<typeof makeSession>>,
): Promise<ExitCode> {
  // Kept before there is anything to gain from exchanging them.
  await hubKeys(session);
  const task = await doStarter(call, session);
  if (task === undefined) {
    call.io.err('There is no starter task for this account now; each account has one.\n');
    call.io.err('next: hub task list; hub work --exec COMMAND\n');
    return 1;
  }
  const kept = await keepReceipt(session, task);
  if (kept === undefined) {
    call.io.err(`task ${task.id} ended as ${task.state}; it did not pay this account\n`);
    return 1;
  }
  const { receipt, file, checked } = kept;
  const { paid } = receipt;
  show(call, { ...receipt, file, verified: checked }, () =>
    [
      styled(call.io, 'green', `paid ${usdc(paid.amount)} ${paid.asset}`),
      ` on ${paid.network}\n`,
      facts(call.io, [
        ['task', receipt.task.title],
        ['account', receipt.account],
        ['transfer', paid.transferId],
        ['at', paid.at],
        ['balance', usdc(paid.balanceAfter)],
        ['terms', receipt.task.termsDigest],
        ['receipt', file],
        ['verified', checked.ok ? `the hub signed for it in ${checked.minute}` : checked.says],
      ]),
      `${styled(call.io, 'dim', 'next')}: hub me; hub task list; hub work --exec COMMAND\n`,
    ].join(''),
  );
  return checked.ok ? 0 : 1;
}
