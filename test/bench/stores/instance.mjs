// An instance in its own process: appends with 64 callers for the given time, and reports the rate per second.
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
