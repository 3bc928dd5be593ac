/** Before and after all tests of a run. */
import { removeRunFolders } from './file-folder.ts';

export default function setUp(): () => void {
  removeRunFolders();
  return removeRunFolders;
}
