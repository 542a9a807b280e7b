import { print, use } from './shop.mjs';

process.env['TOKEN_SECRET'] = 's'.repeat(48);
const { start, support } = await use('hosts/engine/plain/support.js');
const running = await start();
const results = await support(running);
await running.stop();
print(results);
