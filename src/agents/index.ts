/** Tools for agents over a lake, a catalog or a service, by the Model Context Protocol: answers with budgets, cursors and citations. */
export { callTool } from './call-tool.ts';
export type { ExportRequest, Exports, PlannedWork, RunProgress, RunState } from './exports.ts';
export { LakeTables } from './lake-tables.ts';
export { INSTRUCTIONS, inputSchema, mcpServer, type Offer, offerOf, serverOf } from './server.ts';
export { ServiceTools } from './service-tools.ts';
export { LakeSource } from './sources/lake-source.ts';
export { ServiceSource } from './sources/service-source.ts';
export { createdTask, knowsTasks, type TaskState, type Tasks } from './tasks.ts';
export type { World } from './tool.ts';
export { TOOLS } from './tools/index.ts';
