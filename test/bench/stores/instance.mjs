// One instance of its own process: appends by 64 callers for as long as a message says, and answers how many a second.
import { typeormStores } from 'nest-guardrails/typeorm';
import { invented } from './ingest.mjs';
import { rateOf } from './rates.mjs';

const stores = typeormStores({ url: process.argv[2] });
await stores.open();
let number = 0;
process.on('message', (milliseconds) => {
  void rateOf(() => stores.audit.append(invented(number++)), { callers: 64, milliseconds }).then((rate) =>
    process.send(rate),
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');
