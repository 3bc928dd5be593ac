/** The service of the lookup benchmark, a process of its own so that its work is nobody else's. */
import { RegisterService } from '../../test/support/register-service.ts';

const service = await RegisterService.start({ filings: Number(process.argv[2]) });
process.send!({ url: service.url });
process.on('disconnect', () => process.exit());
