/** Tools for agents over a lake, a catalog or a service, by the Model Context Protocol: answers with budgets, cursors and citations. */
export { callTool } from './server/call-tool.ts';
export { INSTRUCTIONS, inputSchema, mcpServer, type Offer, offerOf, serverOf } from './server/server.ts';
export { ServiceTools } from './server/service-tools.ts';
export { createdTask, knowsTasks, type TaskState, type Tasks } from './server/tasks.ts';
export { LakeSource } from './sources/lake-source.ts';
export { LakeTables } from './sources/lake-tables.ts';
export { ServiceSource } from './sources/service-source.ts';
export type { ExportRequest, Exports, PlannedWork, RunProgress, RunState } from './tools/exports.ts';
export { TOOLS } from './tools/index.ts';
export type { World } from './tools/tool.ts';
