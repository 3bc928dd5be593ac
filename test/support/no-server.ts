/** For the unit tier: a test that listens fails. Such a test belongs to the integration tier. */
import { Server } from 'node:net';

Server.prototype.listen = () => {
  throw new Error('a unit test starts no server: put its file in a folder integration');
};
