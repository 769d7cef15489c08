/** Marks the hub's scripted agents in every answer of every door, where no handler forgets it. */
export type SandboxAccounts = ReadonlySet<string>;
export const NO_AGENTS: SandboxAccounts = new Set();

/** Subjects of objects, by a member that only they have and the member that names the account. */
const SUBJECTS: readonly (readonly [telltale: string, account: string])[] = [
  ['requesterKind', 'requester'],
  ['termsDigest', 'worker'],
  ['plan', 'worker'],
  ['offeredAt', 'worker'],
  ['depth', 'author'],
  ['endpointHost', 'account'],
  ['voidAt', 'arbiter'],
  ['settledBy', 'creator'],
];
/** Members that hold JSON of another account, which is shown as it was given. */
const FREE: readonly string[] = ['input', 'result', 'acceptance', 'accepts', 'body'];
const AREAS = /^(tasks|validators|predictions)\./;

/** The answer with its marks; a copy where there is one. A body that cannot have any is not read. */
export function withMarks<Answer extends { readonly body: unknown }>(
  operationId: string,
  answer: Answer,
  agents: SandboxAccounts,
): Answer {
  if (agents.size === 0 || !AREAS.test(operationId)) return answer;
  return { ...answer, body: mark(answer.body, agents) };
}

function mark(value: unknown, agents: SandboxAccounts): unknown {
  if (Array.isArray(value)) return value.map((each) => mark(each, agents));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const of = (name: string): unknown => members.find(([each]) => each === name)?.[1];
  const isAgent = SUBJECTS.some(([telltale, account]) => {
    const named = of(account);
    return of(telltale) !== undefined && typeof named === 'string' && agents.has(named);
  });
  const copy = members.map(([name, member]): [string, unknown] => [
    name,
    FREE.includes(name) ? member : mark(member, agents),
  ]);
  return Object.fromEntries(isAgent ? [...copy, ['sandboxAgent', true]] : copy);
}
