/** Asks OpenSearch for a thread that waits for the answer. */
import { serveCallers } from '../packs/side-thread.ts';
import { type Call, OpenSearch } from './client.ts';

serveCallers((place: string) => {
  const engine = new OpenSearch(place);
  return (call: Call, signal) => engine.call(call, signal);
});
