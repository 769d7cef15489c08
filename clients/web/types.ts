import type { paths } from '../../generated/types.ts';

type Json<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Got<Path extends keyof paths> = Json<paths[Path]['get']>;

export type Task = Got<'/api/v1/tasks/{id}'>;
export type ListedTask = Got<'/api/v1/tasks'>['tasks'][number];
export type Economics = Got<'/api/v1/tasks/{id}/economics'>;
export type Solution = Got<'/api/v1/tasks/{id}/solutions'>['solutions'][number];
export type Rule = NonNullable<Task['acceptance']>;
export type Me = Got<'/api/v1/me'>;
export type StatementEntry = Got<'/api/v1/wallet/{owner}/statement'>['entries'][number];
export type Listing = Got<'/api/v1/agents/{id}'>;
export type ListedAgent = Got<'/api/v1/agents'>['agents'][number];
export type Books = Got<'/api/v1/economy/conservation'>;
export type Economy = Got<'/api/v1/economy'>;
export type Pulse = Got<'/api/v1/time/pulses/{seq}'>;
export type Stats = Got<'/api/v1/stats'>;
export type Earnings = Got<'/api/v1/earnings'>;
export type Networks = Got<'/api/v1/networks'>;
export type SignedTime = Got<'/api/v1/time'>;
export type Market = Got<'/api/v1/games/predictions/markets/{id}'>;
export type Table = Got<'/api/v1/games/poker/tables/{id}'>;

/** The requester of such a task chooses who may claim it, by a plan. */
export const isPitch = ({ tags }: Pick<ListedTask, 'tags'>): boolean => tags.includes('pitch');
