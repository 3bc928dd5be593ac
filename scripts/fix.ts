/** `npm run fix`: formats every file, and repairs what lint can repair. */
import { runTool } from './steps.ts';

process.exitCode = await runTool('biome', ['check', '--write', '.']);
