/** Buckets as they may be: cases that send many requests. */
import '../../support/slow-cases.ts';
import '../integration/odd-buckets.test.ts';
