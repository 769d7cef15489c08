/** Where the door is; clients sign it as `@path`. */
export const MCP_PATH = '/mcp';
