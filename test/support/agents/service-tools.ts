import { ServiceTools } from '../../../src/agents/index.ts';
import type { OpenTools } from '../../../src/service/index.ts';

/** Those of `filinglake serve`. */
export const serviceTools: OpenTools = async (address, onFault) => new ServiceTools(address, '0.1.0', onFault);
