/** Calls a function for each item of a list, some at a time. The first error ends it, after the active calls have ended. */
export async function eachOf<One>(
  list: readonly One[],
  atOnce: number,
  call: (one: One) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && next < list.length) {
      await call(list[next++]!).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, list.length) }, lane));
  const broken = lanes.find((one) => one.status === 'rejected');
  if (broken) throw broken.reason;
}
