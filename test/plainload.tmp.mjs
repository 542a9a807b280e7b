const t0=process.cpuUsage(); const w0=performance.now();
for (const s of process.argv.slice(2)) await import(s);
const c=process.cpuUsage(t0); console.log('cpu', (c.user+c.system)/1e3, 'wall', performance.now()-w0);
