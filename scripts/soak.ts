/** `npm run soak`: exports that are disturbed at random. `npm run soak -- --service`: a service under attack. */
if (process.argv.includes('--service')) await import('./soak-service.ts');
else await import('./soak-exports.ts');
