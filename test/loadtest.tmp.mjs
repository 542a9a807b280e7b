import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
const which = process.argv[2];
const t0=process.cpuUsage(); const w0=performance.now();
register('./typescript-loader.mjs', new URL('./support/jest/', import.meta.url));
for (const s of process.argv.slice(3)) await import(s);
const c=process.cpuUsage(t0); console.log('cpu', (c.user+c.system)/1e3, 'wall', performance.now()-w0);
