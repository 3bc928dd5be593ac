/** A remap uses one version of the mapping. Workers with another version must not take part in it. */
import { FilinglakeError } from '../../core/index.ts';
import { MAPPING_VERSION } from '../../forms/index.ts';

/** @throws FilinglakeError `mapping-differs`: another worker may have the version */
export function refuseOtherMapping(version: number): void {
  if (version === MAPPING_VERSION) return;
  throw new FilinglakeError(
    'mapping-differs',
    `the remap is of version ${version} of the mapping, and this worker has version ${MAPPING_VERSION}`,
  );
}
