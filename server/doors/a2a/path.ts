/** Where the door is; clients sign it as `@path`. */
export const A2A_PATH = '/a2a';
