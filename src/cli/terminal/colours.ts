/** Colours only at a terminal: in a pipe or a build's log they would spoil the data. */
import picocolors from 'picocolors';

function coloursOf(stream: { isTTY?: boolean }) {
  const wanted = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return picocolors.createColors(wanted);
}

/** For standard output. */
export const colours = coloursOf(process.stdout);
/** For standard error. */
export const errorColours = coloursOf(process.stderr);
