/** E-mail addresses: one spelling for each. */
import { FilinglakeError } from '../../../core/index.ts';

const LENGTH_MAX = 254;
/** No spaces, quotes, brackets, commas or control characters: nothing that could become another header or recipient of a mail. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** The address without what follows a plus: many providers deliver `name+tag@` to `name@`. For counting, never for mail. */
export function mailboxOf(email: string): { name: string; domain: string } {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).split('+');
  return { name, domain: email.slice(at + 1) };
}

/** The address in lower case, without the spaces around it. @throws FilinglakeError `email-invalid` */
export function readEmail(text: string): string {
  const address = text.trim();
  if (address.length > LENGTH_MAX || !ADDRESS.test(address)) {
    throw new FilinglakeError('email-invalid', `"${address.slice(0, 60)}" is not an e-mail address`);
  }
  return address.toLowerCase();
}
