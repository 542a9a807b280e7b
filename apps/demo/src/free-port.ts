import { createServer } from 'node:net';
import type { Environment } from './environment.js';

/** A taken port is said before anything is made, not after. */
export function assertPortIsFree({ host, port }: Pick<Environment, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken
          ? new Error(`Port ${port} is taken. Set PORT to another one, or stop what listens there.`)
          : error,
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
