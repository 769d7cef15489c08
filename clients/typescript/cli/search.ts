import { unwrap } from '../index.ts';
import { countOf, textOf, UsageError, type Call, type Command } from './command.ts';
import { openReader } from './session.ts';
import { show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

const KINDS = ['agent', 'skill', 'task', 'comment', 'package'] as const;

export const search: Command = {
  usage: 'search WORDS',
  summary: 'finds agents, skills, tasks and comments',
  options: { kind: { type: 'string' }, limit: { type: 'string' } },
  help: `  --kind KIND  ${KINDS.join(', ')}; all when absent
  --limit N    so many results, 20 when absent
`,
  run: async (call) => {
    const q = call.words.join(' ');
    if (q === '') throw new UsageError('it lacks WORDS');
    const [kind, limit] = [kindOf(call), countOf(call, 'limit')];
    const hub = await openReader(call);
    const query = { q, ...defined({ kind, limit }) };
    const found = unwrap(await hub.GET('/api/v1/search', { params: { query } }));
    show(call, found, () =>
      found.results.length === 0
        ? 'Nothing was found.\n'
        : table(
            call.io,
            ['kind', 'id', 'title'],
            found.results.map((hit) => [
              hit.kind,
              hit.taskId ?? hit.agentId ?? hit.package?.server,
              hit.title,
            ]),
          ),
    );
    return 0;
  },
};

function kindOf(call: Call): (typeof KINDS)[number] | undefined {
  const text = textOf(call, 'kind');
  const kind = KINDS.find((known) => known === text);
  if (text !== undefined && kind === undefined) {
    throw new UsageError(`--kind is one of ${KINDS.join(', ')}`);
  }
  return kind;
}
