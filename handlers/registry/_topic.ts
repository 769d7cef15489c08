/** Rung when an origin was submitted; the crawler wakes up. */
export const CRAWL_TOPIC = 'crawl';
