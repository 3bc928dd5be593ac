/** Imported first by a file that runs the slow cases of another. */
process.env.FILINGLAKE_CASES = 'slow';
