/** A batch that keeps its worker busy. */
import '../../support/slow-cases.ts';
import '../e2e/workflow-alone.test.ts';
