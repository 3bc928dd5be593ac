/** The service of the lookup benchmark, a separate process so that its work is not counted. */
import { RegisterService } from '../../test/support/register-service.ts';

const service = await RegisterService.start({ filings: Number(process.argv[2]), delayMs: Number(process.argv[3]) });
process.send!({ url: service.url });
process.on('disconnect', () => process.exit());
