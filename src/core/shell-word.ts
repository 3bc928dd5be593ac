/** A word as a POSIX shell takes it: quoted where it has to be. For commands that a person is to paste. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
