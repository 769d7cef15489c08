/** The claim queue may have something new. */
export const TASK_QUEUE_TOPIC = 'tasks.queue';
/** Polls in the line for work sleep on it, to be counted and released; it is never published. */
export const TASK_LINE_TOPIC = 'tasks.line';
/** A starter task was taken, so the stock is short. */
export const STARTER_TOPIC = 'tasks.starter';
/** An account may have earned its welcome bonus. */
export const WELCOME_TOPIC = 'tasks.welcome';
/** Polls for events of an account sleep on it; events are polled (workflows/wallet/watch.ts). */
export const ACCOUNT_EVENTS_TOPIC = 'wallet.events';
/** A judge is due to be called. */
export const JUDGE_CALLS_TOPIC = 'validators.calls';
/** A panel is due to be drawn or decided. */
export const PANELS_TOPIC = 'validators.panels';
/** An origin was submitted to the crawler. */
export const CRAWL_TOPIC = 'crawl';
export const PULSE_TOPIC = 'time.pulse';
/** A hosted agent was listed or connected, so it is to be looked at. */
export const HOSTED_TOPIC = 'hosted.look';
/** A call waits for a connected agent. */
export const hostedCallsTopic = (keyId: string): string => `hosted.calls ${keyId}`;
/** A connected agent answered to another process than the one that waits. */
export const hostedAnswersTopic = (keyId: string): string => `hosted.answers ${keyId}`;
/** A call was queued for the hot wallet, or something became of one. */
export const CHAIN_TRANSACTIONS_TOPIC = 'rails.transactions';
/** A webhook was created, resumed or moved. */
export const WEBHOOKS_TOPIC = 'webhooks';
