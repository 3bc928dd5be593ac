/** Which addresses count as one caller, however a socket or a proxy writes them. */
import { describe, expect, it } from 'vitest';
import { networkOf, shortAddress } from '../../../../src/service/accounts/index.ts';

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:51312', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:51312', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%eth0]:80', 'fe80::1'],
  ])('%s is %s', (text, short) => expect(shortAddress(text)).toBe(short));

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.1:', '[]:80', '2001:db8::1::2'])(
    'that is none stays as it is: "%s"',
    (text) => expect([shortAddress(text), networkOf(text)]).toEqual([text, text]),
  );
});

describe('a network', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0DB8:0000:0:9::'],
    ['2001:db8:0:5::', '[2001:db8:0:5:a:b:c:d]:443'],
    ['1:2:3::7', '1:2:3:0::'],
    ['1::2:3:4:5', '1:0:0:0:2::'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['::1', '::2'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
  ])('has both %s and %s', (one, other) => expect(networkOf(one)).toBe(networkOf(other)));

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['1:2:3::', '1:2:3:4::'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['::1', '0:0:0:1::1'],
  ])('has %s, but not %s', (one, other) => expect(networkOf(one)).not.toBe(networkOf(other)));
});
