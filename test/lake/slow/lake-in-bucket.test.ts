/** A lake in a bucket: writers in several processes, and random faults of the store. */
import '../../support/slow-cases.ts';
import '../integration/lake-in-bucket.test.ts';
