/**
 * `#temporal-worker` of a checkout: `@temporalio/worker` without its bundler, as in the published package. The worker requires webpack
 * and a file system in memory at once: a fifth of a second of CPU for each command that works.
 */
const bundler = require.resolve('@temporalio/worker/lib/workflow/bundler');

require.cache[bundler] ??= {
  exports: { defaultWorkflowInterceptorModules: [require.resolve('@temporalio/worker/lib/workflow-log-interceptor')] },
  loaded: true,
};
module.exports = require('@temporalio/worker');
