/** Exports through the library that are closed early. */
import '../../support/slow-cases.ts';
import '../e2e/library.test.ts';
